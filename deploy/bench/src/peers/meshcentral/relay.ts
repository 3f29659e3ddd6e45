import { WebSocket } from 'ws';
import { socketUrl, type Address } from './address.ts';

const PATIENCE_MS = 10_000;
/** The sign of the client's and the agent's own messages between the bytes of a terminal. */
const CHANNEL = '102938';

/**
 * Opens the client's end of a relay and waits until the server has joined the agent's to it.
 * @param act what brings the agent, once this end is there
 */
export function openRelay(address: Address, query: Record<string, string>, act: () => void): Promise<WebSocket> {
  const url = socketUrl(address, '/meshrelay.ashx', { browser: '1', ...query });
  const socket = new WebSocket(url, { ca: address.ca, perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      clearTimeout(late);
      socket.terminate();
      reject(error);
    };
    const late = setTimeout(() => fail(new Error('MeshCentral joined no agent to the relay in 10 s')), PATIENCE_MS);
    const closed = () => fail(new Error('MeshCentral closed the relay'));
    const joined = (data: Buffer) => {
      if (!isJoined(data)) return;
      clearTimeout(late);
      socket.off('message', joined).off('close', closed);
      resolve(socket);
    };
    socket.on('error', fail).once('open', act).once('close', closed).on('message', joined);
  });
}

/** `c` says that both ends are there, `cr` that it is recorded too. */
export function isJoined(data: Buffer): boolean {
  return ['c', 'cr'].includes(data.toString('latin1', 0, 3));
}

/** A message between client and agent; `options` and `termsize` tell a terminal's size. */
export function control(type: string, more: object): string {
  return JSON.stringify({ ctrlChannel: CHANNEL, type, ...more });
}

/** Whether a message is such a one, and no output; those come as text, output as bytes or as text. */
export function isControl(data: Buffer, binary: boolean): boolean {
  const sign = `{"ctrlChannel":"${CHANNEL}"`;
  return !binary && data.toString('latin1', 0, sign.length) === sign;
}
