import { Code, ConnectError } from '@connectrpc/connect';
import { TerminalRefusal } from '@warren/proto/agent/v1/agent';
import { TerminalClient } from '../../test/terminal-client.ts';
import type { Group } from '../check.ts';
import { expect, same } from '../expect.ts';

const WINDOW = 256 * 1024;
const LINES = 20_000;

async function refuses(what: string, code: string, asked: Promise<unknown>): Promise<void> {
  const error = await asked.then(
    () => undefined,
    (cause: unknown) => ConnectError.from(cause),
  );
  same(`the code for ${what}`, error && Code[error.code], code);
}

export const terminals: Group = {
  name: 'terminals',
  checks: [
    {
      name: 'opens a login shell of the size asked for, and tells it who is there',
      run: async (subject) => {
        await subject.enrol();
        const terminal = await subject.terminal();
        terminal.type('stty size; echo $TERM=$WARREN_USER$((40+2))\r');
        await terminal.shows('24 80');
        await terminal.shows('xterm-256color=ada@example.com42');
        terminal.resize(133, 41);
        terminal.type('stty size\r');
        await terminal.shows('41 133');
        terminal.type('exit 3\r');
        await terminal.ended;
        same('exit', terminal.exit, { code: 3, signal: '' });
      },
    },
    {
      name: 'carries characters whole, however they are split',
      run: async (subject) => {
        const terminal = await subject.terminal();
        for (const byte of Buffer.from("printf '%s.%s\\n' 'Grü' 'ße 漢字 🦊'\r")) terminal.type(Buffer.from([byte]));
        await terminal.shows('Grü.ße 漢字 🦊');
        terminal.close();
        await terminal.ended;
        same('exit after close', terminal.exit, { code: 0, signal: 'SIGHUP' });
      },
    },
    {
      name: 'stops a program whose output is unacknowledged, and resumes it on acknowledgement',
      run: async (subject) => {
        const terminal = await subject.terminal();
        terminal.acks = false;
        terminal.type('exec sh -c "stty -echo -onlcr; head -c 600000 /dev/zero | tr \'\\\\0\' x; echo LAST"\r');
        await terminal.until(() => terminal.offset >= WINDOW);
        await new Promise((resolve) => setTimeout(resolve, 200));
        same('bytes without an ack', terminal.offset, WINDOW);
        terminal.acks = true;
        terminal.ack(terminal.offset);
        await terminal.ended;
        same('exit', terminal.exit, { code: 0, signal: '' });
        expect(/x{600000}LAST\n$/.test(terminal.text), 'output is missing');
      },
    },
    {
      name: 'resumes a terminal at the byte that is asked for, after the link broke',
      run: async (subject) => {
        const first = await subject.terminal();
        first.type(`stty -echo; PS1=; echo begin$((1)); (for i in $(seq ${LINES}); do echo $i; done)\r`);
        await first.until(() => first.offset > 20_000);
        const count = subject.hub.links.length;
        (await subject.link()).socket.destroy();
        await first.ended;
        const { client } = await subject.linkAfter(count);
        const second = new TerminalClient(client, { session: first.session, offset: first.offset });
        await second.shows(`\n${LINES}\r\n`);
        same('the offset that it resumes from', second.from, first.offset);
        const text = Buffer.concat([first.output, second.output]).toString();
        const lines = text.split('\r\n').filter((line) => /^\d+$/.test(line));
        same('the number of lines', lines.length, LINES);
        expect(
          lines.every((line, index) => Number(line) === index + 1),
          'a line is missing, or there twice',
        );
        second.close();
        await second.ended;
      },
    },
    {
      name: 'attaches only the newest screen of the terminal’s user',
      run: async (subject) => {
        const first = await subject.terminal();
        await first.until(() => first.session !== '');
        const { session } = first;
        const stranger = await subject.terminal({ session, userId: 'user-2' });
        await stranger.ended;
        same('code for a stranger', stranger.code, TerminalRefusal.GONE);
        const second = await subject.terminal({ session });
        await first.ended;
        same('code for the older screen', first.code, TerminalRefusal.TAKEN_OVER);
        second.type('echo still$((1))\r');
        await second.shows('still1');
        const beyond = await subject.terminal({ session, offset: 1_000_000_000 });
        await beyond.ended;
        same('code for an offset that is yet to come', beyond.code, TerminalRefusal.OFFSET);
      },
    },
    {
      name: 'lists the terminals of one person, and ends them when asked',
      run: async (subject) => {
        const { client } = await subject.link();
        await client.endTerminals({});
        const [mine, other] = [await subject.terminal(), await subject.terminal({ userId: 'user-2' })];
        await mine.until(() => mine.session !== '');
        await other.until(() => other.session !== '');
        const { terminals: listed } = await client.listTerminals({ userId: 'user-1' });
        same(
          'the list',
          listed.map(({ session }) => session),
          [mine.session],
        );
        same('attached and size', [listed[0]?.attached, listed[0]?.size?.cols, listed[0]?.size?.rows], [true, 80, 24]);
        same('ended of another', (await client.endTerminals({ userId: 'user-2', session: mine.session })).ended, 0);
        same('ended', (await client.endTerminals({ exceptUserIds: ['user-2'] })).ended, 1);
        await mine.ended;
        same('ended of the rest', (await client.endTerminals({})).ended, 1);
        await other.ended;
      },
    },
    {
      name: 'names a terminal for its person alone, and pins it or says why not',
      run: async (subject) => {
        const terminal = await subject.terminal();
        await terminal.until(() => terminal.session !== '');
        const { client } = await subject.link();
        const mine = { userId: 'user-1', userEmail: 'ada@example.com', session: terminal.session };
        same(
          'the name in the answer',
          (await client.changeTerminal({ ...mine, name: 'build' })).terminal?.name,
          'build',
        );
        await refuses('a control character', 'InvalidArgument', client.changeTerminal({ ...mine, name: 'a\nb' }));
        const longest = 31 * 86_400;
        await refuses('a pin of 31 days', 'InvalidArgument', client.changeTerminal({ ...mine, pinS: longest }));
        await refuses('another person', 'NotFound', client.changeTerminal({ ...mine, userId: 'user-2', name: 'x' }));
        const { terminals: listed, capacity } = await client.listTerminals({ userId: 'user-1' });
        const info = listed.find(({ session }) => session === terminal.session);
        expect(
          info?.name === 'build' && info.memoryLimit >= info.memory && info.memory > 0n,
          'the list does not say it',
        );
        expect((capacity?.pinned ?? 0) > 0 && (capacity?.memory ?? 0n) > 0n, 'the list does not say what it allows');
        if (info?.unpinnable) {
          await refuses('a pin', 'FailedPrecondition', client.changeTerminal({ ...mine, pinS: 3600 }));
        } else {
          same('the pin', (await client.changeTerminal({ ...mine, pinS: 3600 })).terminal?.pinS, 3600);
          same('its owner', (await client.listPinOwners({})).owners.at(0)?.userId, 'user-1');
          const bounded = await client.listTerminals({ userId: 'user-1', pinLimitS: 0 });
          expect(
            bounded.terminals.every(({ pinS }) => pinS === 0),
            'the limit did not unpin it',
          );
        }
        same('the name when it is removed', (await client.changeTerminal({ ...mine, name: '' })).terminal?.name, '');
        terminal.close();
        await terminal.ended;
      },
    },
    {
      name: 'refuses what is no valid request, and stays',
      run: async (subject) => {
        const anonymous = await subject.terminal({ userId: '' });
        const error = ConnectError.from(await anonymous.ended);
        same('the code for an open without a person', Code[error.code], 'InvalidArgument');
        const sized = await subject.terminal();
        await sized.until(() => sized.session !== '');
        sized.resize(0, 0);
        await sized.ended;
        expect((sized.refused ?? '') !== '', 'a window of 0 by 0 was taken');
        const good = await subject.terminal({ session: sized.session });
        good.type('echo good$((1))\r');
        await good.shows('good1');
      },
    },
  ],
};
