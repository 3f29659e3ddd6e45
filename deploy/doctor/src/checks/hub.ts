import { findings, reason, type Finding } from '../finding.ts';
import type { Options } from '../options.ts';
import { ask, codeOf, type Answer } from '../request.ts';

const { ok, warn, fail } = findings('hub');
const ALLOWED_MS = 3_000;

/** Returns how far another clock is ahead; its Date has whole seconds, and the request takes time. */
export function skewOf(date: string | undefined, sent: number, received: number): number | undefined {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return undefined;
  if (theirs + 1_000 >= sent && theirs <= received) return 0;
  return theirs > received ? theirs - received : theirs + 1_000 - sent;
}

function clock(skew: number | undefined): Finding {
  if (skew === undefined) return warn('no Date in its answers', 'Let the ingress pass the Date header on.');
  const text = `its clock is ${Math.abs(skew / 1000).toFixed(1)} s ${skew < 0 ? 'behind' : 'ahead of'} this machine’s`;
  if (Math.abs(skew) > ALLOWED_MS)
    return fail(text, 'Run NTP on the hub’s machines: sign-ins and agents allow a minute.');
  return ok(skew === 0 ? 'its clock agrees with this machine’s' : text);
}

function identified(answer: Answer, origin: string): Finding {
  if (answer.status === 401 && codeOf(answer) === 'unauthenticated') return ok(`${origin} answers as Warren does`);
  const advice =
    answer.status >= 500
      ? 'See /readyz of the gateway, and whether the ingress reaches it.'
      : 'Something else answers there: see where the ingress leads.';
  return fail(`${origin} answers ${answer.status}, not as Warren does`, advice);
}

/** Checks that the hub answers under its public name, serves the console, and has the right time. */
export async function checkHub({ HUB_URL }: Options): Promise<Finding[]> {
  const sent = Date.now();
  const session = await ask(new URL('/auth/saml/getsession', HUB_URL)).catch((error: unknown) => reason(error));
  if (typeof session === 'string') {
    return [fail(`${HUB_URL}: ${session}`, 'See whether the gateway runs and the ingress leads to it.')];
  }
  const found = [identified(session, HUB_URL), clock(skewOf(session.headers.date, sent, Date.now()))];
  const console_ = await ask(new URL('/', HUB_URL), { accept: 'text/html' }).catch(() => undefined);
  const served = console_?.status === 200 && console_.headers['content-type']?.startsWith('text/html');
  found.push(
    served
      ? ok('it serves the console')
      : fail(`the console answers ${console_?.status ?? 'nothing'}`, 'See CONSOLE_DIR of the gateway.'),
  );
  if (HUB_URL.startsWith('https:') && console_ && !console_.headers['strict-transport-security']) {
    found.push(warn('no Strict-Transport-Security', 'Let the ingress pass the hub’s headers on.'));
  }
  return found;
}
