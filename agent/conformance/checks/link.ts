import { once } from 'node:events';
import { constants, type ClientHttp2Session } from 'node:http2';
import { TerminalClient } from '../../test/terminal-client.ts';
import type { Group } from '../check.ts';
import { expect, same } from '../expect.ts';

const PONG_MS = 4_000;
/** At once, on a busy machine. */
const SOON_MS = 8_000;
/** More than Node's own bound on streams that are reset. */
const RESETS = 1_200;

function ping(session: ClientHttp2Session): Promise<number> {
  return new Promise((resolve, reject) => {
    session.ping((error, milliseconds) => (error ? reject(error) : resolve(milliseconds)));
  });
}

export const link: Group = {
  name: 'link',
  checks: [
    {
      name: 'answers a PING in 4 s',
      run: async (subject) => {
        await subject.enrol();
        const { session } = await subject.link();
        const took = await ping(session);
        expect(took <= PONG_MS, `it took ${took} ms`);
      },
    },
    {
      name: 'takes 300 streams at once',
      run: async (subject) => {
        const { session } = await subject.link();
        const { maxConcurrentStreams = Infinity } = session.remoteSettings;
        expect(maxConcurrentStreams >= 300, `SETTINGS_MAX_CONCURRENT_STREAMS is ${maxConcurrentStreams}`);
      },
    },
    {
      name: 'answers a call that it does not know with 404, and stays',
      run: async (subject) => {
        const { session } = await subject.link();
        const stream = session.request({ ':method': 'POST', ':path': '/warren.agent.v1.AgentService/Nothing' });
        stream.resume().end();
        const [headers] = (await once(stream, 'response')) as [{ ':status': number }];
        same(':status', headers[':status'], 404);
        await ping(session);
      },
    },
    {
      name: `stays when ${RESETS} streams are reset`,
      run: async (subject) => {
        const { session } = await subject.link();
        for (let round = 0; round < RESETS / 50; round++) {
          const streams = Array.from({ length: 50 }, () =>
            session.request({ ':method': 'CONNECT', ':authority': '127.0.0.1:9' }, { endStream: false }),
          );
          const closed = streams.map((stream) => {
            stream.on('error', () => {}).resume();
            const gone = new Promise((resolve) => stream.once('close', resolve));
            stream.close(constants.NGHTTP2_CANCEL);
            return gone;
          });
          await Promise.all(closed);
        }
        await ping(session);
        expect(!session.destroyed, 'the link is gone');
      },
    },
    {
      name: 'dials again at once on GOAWAY, while the old link finishes what it had',
      run: async (subject) => {
        const old = await subject.link();
        const terminal = new TerminalClient(old.client);
        terminal.type('echo before$((1))\r');
        await terminal.shows('before1');
        const count = subject.hub.links.length;
        old.session.goaway();
        await subject.linkAfter(count, SOON_MS);
        terminal.type('echo after$((1))\r');
        await terminal.shows('after1');
        terminal.close();
        await terminal.ended;
        await subject.until('the end of the old link', () => old.session.destroyed);
      },
    },
    {
      name: 'drops a link whose bytes are no HTTP/2, and dials again',
      run: async (subject) => {
        const { hub } = subject;
        const { socket } = await subject.link();
        const count = hub.dials.length;
        hub.garble = true;
        socket.destroy();
        await subject.until('a dial after the nonsense', () => hub.dials.length > count + 1);
        hub.garble = false;
        await subject.link();
      },
    },
    {
      name: 'says goodbye and ends with 0 when it is stopped',
      run: async (subject) => {
        const { session } = await subject.link();
        let announced = false;
        session.once('goaway', () => (announced = true));
        same('the exit code', await subject.stop(), 0);
        expect(announced, 'no GOAWAY came');
      },
    },
  ],
};
