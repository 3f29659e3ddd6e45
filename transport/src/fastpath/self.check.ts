import { socketPair } from '../socket.pair.ts';
import { canBeBare } from './bare.socket.ts';
import { collectYoung } from './collect.ts';
import { slowParts } from './fast.path.ts';
import { hasNativeParser } from './native.parser.ts';
import { canReadInto } from './read.into.ts';
import { canPauseSessionOn } from './session.pause.ts';

/**
 * Probes the fast path on a loopback connection, before the first one of a client.
 * @param probe of parts that not every process has
 * @returns one line for the log; undefined when every part is in use
 */
export async function checkFastPath(probe: () => unknown = () => {}): Promise<string | undefined> {
  const sockets = await socketPair();
  hasNativeParser();
  collectYoung();
  canReadInto();
  canBeBare(sockets[0]);
  canPauseSessionOn(sockets[0]);
  probe();
  for (const socket of sockets) socket.destroy();
  return slowParts();
}
