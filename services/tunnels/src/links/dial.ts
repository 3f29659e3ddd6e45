import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { Fault, invalidInput } from '@warren/platform/errors/fault';

/** The carrier of the link: the upgraded socket itself, or WebSocket frames where a proxy passes nothing else. */
export type Carrier = 'warren-h2' | 'websocket';

/** The unverified claims of a dial. */
export interface Dial {
  carrier: Carrier;
  token: string;
  deviceId: string;
  agentVersion: string;
  /** Whether the device says that it has pinned terminals. */
  hasPins: boolean;
}

const VERSION = /^\d{1,4}\.\d{1,4}\.\d{1,4}([-+][\w.+-]{1,64})?$/;
const MAX_TOKEN = 2_048;

const tokenHeader = z.object({ alg: z.literal('EdDSA'), kid: z.uuid() });

/**
 * Runs the free checks: the syntax of the request and of its token.
 * @throws Fault `invalid_argument` for a request that is no dial, `unauthenticated` for a malformed token
 */
export function parseDial(request: IncomingMessage): Dial {
  const carrier = request.headers.upgrade?.toLowerCase();
  if (carrier !== 'warren-h2' && carrier !== 'websocket') {
    throw invalidInput({ field: 'Upgrade', message: `${carrier ?? 'nothing'} came, expected warren-h2 or websocket.` });
  }
  const agentVersion = request.headers['warren-agent-version'];
  if (typeof agentVersion !== 'string' || !VERSION.test(agentVersion)) {
    throw invalidInput({ field: 'Warren-Agent-Version', message: 'expected a version like 1.2.3.' });
  }
  const [scheme, token] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || !token || token.length > MAX_TOKEN) {
    throw new Fault('unauthenticated', 'expected a Bearer token signed by the device in Authorization.');
  }
  const hasPins = request.headers['warren-pins'] === '1';
  return { carrier, token, agentVersion, hasPins, deviceId: deviceIdOf(token) };
}

function deviceIdOf(token: string): string {
  try {
    const text = Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString();
    return tokenHeader.parse(JSON.parse(text)).kid;
  } catch (cause) {
    throw new Fault('unauthenticated', 'The token names no device, or its algorithm is not EdDSA.', { cause });
  }
}
