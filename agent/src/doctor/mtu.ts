import { callHub } from '../link/call.ts';
import { ADVICE_ON_MTU } from './advice.ts';
import { failed, ok, skipped, type Check } from './check.ts';
import { PATH } from './way.ts';

/** A few packets of any link, and below the header limit of servers. */
const LARGE_BYTES = 4096;
const TIMEOUT_MS = 8_000;
/** Offers one small key share: with Node's default list, a ClientHello exceeds one packet. */
const SMALL_HANDSHAKE = 'X25519';

/**
 * Detects an MTU black hole (RFC 2923, section 2.1): small packets reach the hub and large ones are dropped, while ICMP is
 * blocked.
 * @param silentTls the TLS handshake, which includes large packets, got no answer
 */
export async function examineMtu(hub: string, silentTls: boolean): Promise<Check> {
  const since = performance.now();
  if (silentTls) {
    const passes = await answers(hub, { ecdhCurve: SMALL_HANDSHAKE });
    if (!passes) return skipped('MTU', 'needs TLS: a smaller handshake gets no answer either');
    return failed(
      'MTU',
      performance.now() - since,
      'a small TLS handshake is answered, the usual one is not',
      ADVICE_ON_MTU,
    );
  }
  if (await answers(hub, { headers: { 'Warren-Padding': 'x'.repeat(LARGE_BYTES) } })) {
    return ok('MTU', performance.now() - since, `a request of ${LARGE_BYTES} bytes passes`);
  }
  const took = performance.now() - since;
  if (!(await answers(hub, {}))) return skipped('MTU', 'the hub has stopped answering');
  return failed('MTU', took, `small requests are answered, one of ${LARGE_BYTES} bytes is not`, ADVICE_ON_MTU);
}

/** Tells whether a response arrives, with any status. */
async function answers(hub: string, how: { headers?: Record<string, string>; ecdhCurve?: string }): Promise<boolean> {
  return callHub(hub, PATH, undefined, { ...how, timeout: TIMEOUT_MS }).then(
    () => true,
    () => false,
  );
}
