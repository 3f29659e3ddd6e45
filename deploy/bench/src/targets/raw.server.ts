import net, { type AddressInfo } from 'node:net';
import { VIEWER_HELLO } from './viewer.ts';

/**
 * The server at the far end, in a separate process. The first line of a connection selects its role: `down <bytes>` sends so many,
 * `up <bytes>` reads so many and then answers `done`, `echo` returns what comes. What a viewer says before is ignored.
 */
const PIECE = Buffer.alloc(256 * 1024, 'x');

function send(socket: net.Socket, bytes: number): void {
  let left = bytes;
  const more = (): void => {
    while (left > 0 && !socket.destroyed) {
      const piece = PIECE.subarray(0, Math.min(left, PIECE.length));
      left -= piece.length;
      if (!socket.write(piece)) return void socket.once('drain', more);
    }
  };
  more();
}

function take(socket: net.Socket, bytes: number, early: number): void {
  let left = bytes - early;
  socket.on('data', (data: Buffer) => {
    left -= data.length;
    if (left <= 0) socket.write('done');
  });
}

const server = net.createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => {});
  socket.once('data', (first: Buffer) => {
    const data = first.indexOf(VIEWER_HELLO) === 0 ? first.subarray(VIEWER_HELLO.length) : first;
    const end = data.indexOf('\n');
    const [what, count] = data.subarray(0, end).toString().split(' ');
    // What comes behind the line in one piece with it counts as well.
    const early = data.subarray(end + 1);
    if (what === 'down') send(socket, Number(count));
    else if (what === 'up') take(socket, Number(count), early.length);
    else {
      if (early.length > 0) socket.write(early);
      socket.on('data', (piece) => socket.write(piece));
    }
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
