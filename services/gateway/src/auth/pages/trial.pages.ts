import type { Page } from '@warren/platform/http/page';
import { checkOf } from '../refusal/checks.ts';
import type { Protocol, SignInRefused } from '../refusal/sign-in.refused.ts';

const BACK = [{ href: '/sign-in-doctor', label: 'Back to the sign-in doctor' }];

/** Renders what a trial understood; empty values are left out. */
export function trialPage(facts: Record<string, string>): Page {
  return {
    title: 'This sign-in works',
    text: 'It was a trial: nobody was signed in, and nothing was bound.',
    facts,
    links: BACK,
  };
}

/** Renders which check a trial failed, with what was received. */
export function refusedTrialPage(
  { kind, message, provider, details }: SignInRefused,
  protocol: Protocol,
  requestId: string | undefined,
): Page {
  const { check, mend } = checkOf(kind, protocol);
  const received = Object.entries(details).map(([name, value]) => [name, textOf(value)] as const);
  return {
    title: 'This sign-in fails',
    text: mend,
    facts: { Provider: provider, 'Failed check': check, Reason: message, ...Object.fromEntries(received) },
    links: BACK,
    requestId,
  };
}

function textOf(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 500);
}
