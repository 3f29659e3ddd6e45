import { HubClock } from '../link/clock.ts';
import type { CallAnswer } from '../link/call.ts';
import { dial } from '../link/dial.ts';
import { Unreachable } from '../link/plain.ts';
import { DialRefused } from '../link/refusal.ts';
import { proveKey } from '../rotate.ts';
import { ADVICE_ON_CLOCK, ADVICE_ON_KEY, adviceOnUpgrade } from './advice.ts';
import { failed, ok, skipped, type Check } from './check.ts';

/** The hub's tolerance for the time in a device's token. */
const CLOCK_MS = 60_000;

/** Compares the clock of this device with the Date of the hub's response. */
export function examineClock({ headers }: CallAnswer, now: number, took?: number): Check {
  const theirs = Date.parse(headers.date ?? '');
  if (Number.isNaN(theirs)) return skipped('clock', 'the answer of the hub has no date');
  const apart = Math.round((now - theirs) / 1000);
  const detail = `${Math.abs(apart)} s ${apart < 0 ? 'behind' : 'ahead of'} the hub (${headers.date})`;
  return Math.abs(now - theirs) <= CLOCK_MS
    ? ok('clock', took, detail)
    : failed('clock', took, detail, ADVICE_ON_CLOCK);
}

/**
 * Dials as the agent does, with an invalid token: the hub's refusal proves that the upgrade reaches it, and the link of the
 * running agent stays open.
 */
export async function examineUpgrade(hub: string, version: string): Promise<Check> {
  const since = performance.now();
  let dials = 0;
  const error: unknown = await dial({
    hub,
    version,
    token: 'doctor',
    clock: new HubClock(),
    signal: new AbortController().signal,
    onStep: (step) => (dials += step === 'name' ? 1 : 0),
  }).then(
    (carrier) => void carrier.stream.destroy(),
    (cause: unknown) => cause,
  );
  const took = performance.now() - since;
  const carrier = dials > 1 ? 'WebSocket, since something on the way refuses warren-h2' : 'warren-h2';
  if (error instanceof DialRefused && error.status === 401 && error.code === 'unauthenticated')
    return ok('upgrade', took, `the hub answers, by ${carrier}`);
  const status = error instanceof DialRefused ? error.status : undefined;
  const message = error instanceof Error ? error.message : 'something switched the connection that is not the hub';
  const said = status === undefined ? message : `${message} (status ${status})`;
  return failed('upgrade', took, said, adviceOnUpgrade(status));
}

/** Asks the hub whether it knows this device's key, with a proof that changes nothing and opens no link. */
export async function examineKey(folder: string): Promise<Check> {
  const since = performance.now();
  try {
    const { status, message } = await proveKey(folder);
    const took = performance.now() - since;
    if (status === 200) return ok('key', took, 'the hub takes it');
    if (status === 401 || status === 404) return failed('key', took, message, ADVICE_ON_KEY);
    return skipped('key', `the hub could not check it: ${message}`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EACCES') return skipped('key', 'root and the agent alone may read it: run this with sudo');
    if (error instanceof Unreachable) return skipped('key', `the hub could not check it: ${message}`);
    return failed('key', performance.now() - since, message, ADVICE_ON_KEY);
  }
}
