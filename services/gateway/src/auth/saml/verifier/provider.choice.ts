import { type Outline, readOutline } from './scan.ts';
import { SignInRefused } from '../../refusal/sign-in.refused.ts';
import type { Trusted } from './tasks.ts';

/** Decodes the XML of a posted message. */
export function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}

/**
 * Reads the outline of a message of one of these kinds.
 * @throws SignInRefused for another kind
 */
export function outlineOf(xml: string, ...kinds: string[]): Outline {
  const outline = readOutline(xml);
  if (kinds.includes(outline.kind)) return outline;
  throw new SignInRefused(`expected a ${kinds.join(' or ')} (came: ${outline.kind.slice(0, 50)})`, {
    kind: 'unreadable',
  });
}

/** Longest id of a request that refusals name; the hub's own are shorter. */
const MAX_ID = 100;

/** The request that a message says it answers, for the details of a refusal. */
export function askedBy({ inResponseTo }: Outline): { inResponseTo: string } {
  return { inResponseTo: inResponseTo.slice(0, MAX_ID) };
}

/** Finds the provider with an entity id. @throws SignInRefused for an unknown one */
export function issuerOf(outline: Outline, providers: readonly Trusted[]): Trusted {
  const { issuer } = outline;
  const provider = providers.find(({ entityId }) => entityId === issuer);
  if (provider) return provider;
  throw new SignInRefused(`unknown issuer ${JSON.stringify(issuer.slice(0, 200))}`, {
    kind: 'other',
    details: {
      receivedIssuer: issuer,
      expectedIssuers: providers.map(({ entityId }) => entityId),
      ...askedBy(outline),
    },
  });
}

/** Runs work, and adds the provider and details to its refusal. Turns other errors into a refusal. */
export async function named<T>(
  provider: string,
  details: () => Record<string, unknown>,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const refused =
      cause instanceof SignInRefused
        ? cause
        : new SignInRefused(cause instanceof Error ? cause.message : String(cause), { cause });
    throw refused.with({ provider, details: details() });
  }
}

/** Returns a provider's clock skew in milliseconds, positive if it is ahead of the hub. The message's travel time counts as behind. */
export function clockDifferenceMs(issueInstant: string, now = Date.now()): number | undefined {
  const at = Date.parse(issueInstant);
  return Number.isNaN(at) ? undefined : at - now;
}
