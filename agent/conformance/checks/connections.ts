import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { constants, type ClientHttp2Stream } from 'node:http2';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import type { Group } from '../check.ts';
import { expect, same } from '../expect.ts';
import type { Subject } from '../subject.ts';

const MiB = 1024 * 1024;

async function ask(subject: Subject, authority: string): Promise<ClientHttp2Stream> {
  const { session } = await subject.link();
  const headers = { ':method': 'CONNECT', ':authority': authority, 'warren-user': 'ada%40example.com' };
  const stream = session.request(headers, { endStream: false });
  stream.on('error', () => {});
  return stream;
}

async function statusOf(stream: ClientHttp2Stream): Promise<number> {
  const [headers] = (await once(stream, 'response')) as [{ ':status': number }];
  return headers[':status'];
}

/** Listens on loopback while `work` runs. */
async function listening(server: Server, work: (port: number) => Promise<void>): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  try {
    await work((server.address() as AddressInfo).port);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

export const connections: Group = {
  name: 'connections',
  checks: [
    {
      name: 'carries bytes both ways, each side ending for itself',
      run: async (subject) => {
        await subject.enrol();
        const sent = randomBytes(4 * MiB);
        // Answers when the other side has ended, with all that came.
        const server = net.createServer({ allowHalfOpen: true }, (socket) => {
          void buffer(socket).then(
            (came) => socket.end(came),
            () => {},
          );
        });
        await listening(server, async (port) => {
          const stream = await ask(subject, `127.0.0.1:${port}`);
          same(':status', await statusOf(stream), 200);
          stream.end(sent);
          expect(sent.equals(await buffer(stream)), 'other bytes came back than were sent');
        });
      },
    },
    {
      name: 'leads to a web server of the device, by name too',
      run: async (subject) => {
        const server = http.createServer((request, response) => response.end(`${request.method} ${request.url}`));
        await listening(server, async (port) => {
          const stream = await ask(subject, `localhost:${port}`);
          same(':status', await statusOf(stream), 200);
          stream.end('GET /page HTTP/1.1\r\nHost: device\r\nConnection: close\r\n\r\n');
          const answer = await text(stream);
          expect(answer.startsWith('HTTP/1.1 200') && answer.endsWith('GET /page'), `it answered ${answer}`);
        });
      },
    },
    {
      name: 'leads nowhere but to its own device',
      run: async (subject) => {
        const statuses: Record<string, number> = {};
        const wanted = {
          '192.0.2.1:80': 403,
          '[2001:db8::1]:80': 403,
          'example.com:80': 403,
          nowhere: 400,
          'a:0': 400,
        };
        for (const authority of Object.keys(wanted))
          statuses[authority] = await statusOf(await ask(subject, authority));
        same('statuses', statuses, wanted);
      },
    },
    {
      name: 'tells that nothing listens',
      run: async (subject) => {
        let free = 0;
        await listening(net.createServer(), (port) => Promise.resolve(void (free = port)));
        await subject.until(
          'a port that is closed',
          async () => (await statusOf(await ask(subject, `127.0.0.1:${free}`))) === 502,
        );
      },
    },
    {
      name: 'breaks a connection whose server breaks it',
      run: async (subject) => {
        const server = net.createServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
        await listening(server, async (port) => {
          const stream = await ask(subject, `127.0.0.1:${port}`);
          same(':status', await statusOf(stream), 200);
          stream.write('x');
          await new Promise((resolve) => stream.resume().once('close', resolve));
          expect(stream.rstCode !== constants.NGHTTP2_NO_ERROR, 'it ended as if all was well');
        });
      },
    },
  ],
};
