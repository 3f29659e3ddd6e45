import type { WebSocket } from 'ws';
import type { Pipe } from '../pipe.ts';

/** Above this much unsent, the writer waits. */
const HIGH_WATER = 1 << 20;

/** A relay that carries bytes in messages of a WebSocket. @param isData whether a message carries them; all do if not given */
export function socketPipe(socket: WebSocket, isData: (data: Buffer, binary: boolean) => boolean = () => true): Pipe {
  let listener: (bytes: Buffer) => void = () => undefined;
  socket.on('message', (data: Buffer, binary: boolean) => {
    if (isData(data, binary)) listener(data);
  });
  return {
    write: (bytes) =>
      new Promise((resolve) => {
        socket.send(bytes, () => resolve());
        if (socket.bufferedAmount < HIGH_WATER) resolve();
      }),
    onData: (next) => (listener = next),
    close: () => socket.terminate(),
  };
}
