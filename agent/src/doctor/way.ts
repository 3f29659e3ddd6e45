import { isIP } from 'node:net';
import { Attempt } from '../link/attempt.ts';
import { callHub, type CallAnswer } from '../link/call.ts';
import { Unreachable } from '../link/plain.ts';
import { routeTo } from '../link/route.ts';
import { ClockWrong } from '../link/unreachable.ts';
import { adviceOnName, adviceOnProxy, adviceOnTcp, adviceOnTls, ADVICE_ON_ADDRESS, ADVICE_ON_CLOCK } from './advice.ts';
import { failed, ok, skipped, type Check, type CheckName } from './check.ts';

/** The hub answers this path without an upgrade too, so it covers the whole way. */
export const PATH = '/agent/connect';
const TIMEOUT_MS = 15_000;

/** The way to the hub, as measured with one small request. */
export interface Way {
  checks: Check[];
  /** The hub's response, if the request got through. */
  answer: CallAnswer | undefined;
  /** The hub's response time in milliseconds. */
  answered: number | undefined;
  /** TLS started, and no answer came. */
  silentTls: boolean;
}

/** Sends a small request to the hub by the agent's route, and reports each step; the clock only if it makes TLS fail. */
export async function examineWay(hub: string): Promise<Way> {
  const attempt = new Attempt();
  let error: Unreachable | undefined;
  const answer = await callHub(hub, PATH, undefined, { attempt, timeout: TIMEOUT_MS }).catch((cause: unknown) => {
    error = Unreachable.of(cause, attempt.step);
    return undefined;
  });
  const at = error && failedCheck(error);
  const steps: [CheckName, () => Check][] = [
    ['name', () => nameOf(hub, attempt)],
    ['address', () => addressOf(attempt)],
    ['TCP', () => ok('TCP', (attempt.took.get('connection') ?? 0) - attempt.routed, `port ${attempt.port} accepts`)],
    ['proxy', () => proxyOf(hub, attempt)],
    ['TLS', () => tlsOf(hub, attempt)],
  ];
  const checks: Check[] = [];
  for (const [step, passed] of steps) {
    const before = checks.find(({ result }) => result === 'failed');
    if (before) checks.push(skipped(step, `needs ${before.step}`));
    else if (step === 'TLS' && at === 'clock') checks.push(skipped(step, 'needs clock'));
    else if (error && step === at)
      checks.push(failed(step, attempt.elapsed, error.message, adviceOn(step, hub, error, attempt)));
    else checks.push(passed());
  }
  if (error instanceof ClockWrong) checks.push(failed('clock', undefined, error.finding, ADVICE_ON_CLOCK));
  return {
    checks,
    answer,
    answered: attempt.took.get('upgrade'),
    silentTls: at === 'TLS' && error?.silent === true,
  };
}

const NO_WAY = ['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN'];

/** The check that an error belongs to; undefined when the way is fine and the hub itself failed. */
function failedCheck(error: Unreachable): CheckName | undefined {
  if (error.codes.length > 0 && error.codes.every((code) => NO_WAY.includes(code))) return 'address';
  if (error.step === 'connection') return 'TCP';
  if (error.step === 'upgrade' || error.step === 'key') return undefined;
  return error.step;
}

function adviceOn(step: CheckName, hub: string, error: Unreachable, attempt: Attempt): string {
  const target = targetOf(hub);
  if (step === 'name') return adviceOnName(target.host, error.codes);
  if (step === 'address') return ADVICE_ON_ADDRESS;
  if (step === 'TCP') return adviceOnTcp(target, error.codes);
  if (step === 'proxy') return adviceOnProxy(attempt.refusal, new URL(hub).host);
  return adviceOnTls(error, new URL(hub).hostname);
}

/** The target of the first connection: the proxy, if one is configured for this hub. */
function targetOf(hub: string): { host: string; port: string; proxy: boolean } {
  const { proxy } = routeTo(hub);
  const { hostname, port, protocol } = new URL(proxy === undefined ? hub : `http://${proxy}`);
  const usual = proxy === undefined && protocol === 'https:' ? '443' : '80';
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port || usual, proxy: proxy !== undefined };
}

function nameOf(hub: string, attempt: Attempt): Check {
  const { host, proxy } = targetOf(hub);
  const whose = proxy ? ', the proxy' : '';
  if (isIP(host)) return ok('name', 0, `${host}${whose}: an address, no name to resolve`);
  const addresses = [...new Set(attempt.addresses)].join(', ');
  return ok('name', attempt.took.get('name'), `${host}${whose}${addresses && `: ${addresses}`}`);
}

function addressOf(attempt: Attempt): Check {
  const { localAddress, remoteAddress } = attempt;
  return ok('address', attempt.routed, remoteAddress ? `from ${localAddress} to ${remoteAddress}` : 'there is a route');
}

function proxyOf(hub: string, attempt: Attempt): Check {
  const { proxy } = routeTo(hub);
  if (proxy === undefined) return skipped('proxy', 'none is set for this hub');
  return ok('proxy', attempt.took.get('proxy'), `${proxy} leads to ${new URL(hub).host}`);
}

function tlsOf(hub: string, attempt: Attempt): Check {
  if (!hub.startsWith('https:')) return skipped('TLS', 'not used: the address of the hub begins with http');
  return ok('TLS', attempt.took.get('TLS'), attempt.tls ? certificateOf(attempt.tls) : 'the handshake is done');
}

function certificateOf({ protocol, certificate }: NonNullable<Attempt['tls']>): string {
  const { issuer, valid_to: until } = certificate;
  const authority = issuer?.O ?? issuer?.CN;
  return [protocol, authority && `certificate of ${String(authority)}`, until && `good until ${until}`]
    .filter(Boolean)
    .join(', ');
}
