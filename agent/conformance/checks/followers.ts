import { TerminalRefusal, TerminalSizing } from '@warren/proto/agent/v1/agent';
import type { TerminalClient } from '../../test/terminal-client.ts';
import type { Group } from '../check.ts';
import { expect, same } from '../expect.ts';

const READERS = 20;
const WRITERS = 3;
const LINES = 400_000;

const opened = (terminal: TerminalClient) => terminal.until(() => terminal.session !== '');

export const followers: Group = {
  name: 'followers',
  checks: [
    {
      name: 'gives 20 readers and 3 writers the same bytes, and takes input of each writer',
      run: async (subject) => {
        await subject.enrol();
        const first = await subject.terminal({ join: true, writer: 'screen-1' });
        await opened(first);
        const { session } = first;
        const others = [2, 3].map((one) => subject.terminal({ session, join: true, writer: `screen-${one}` }));
        const readers = Array.from({ length: READERS }, () => subject.terminal({ session, follow: true }));
        const all = [first, ...(await Promise.all([...others, ...readers]))];
        await Promise.all(all.map(opened));
        expect(
          all.every(({ joined }) => joined),
          'an answer to `open` lacks `joined`',
        );
        for (const [index, writer] of all.slice(0, WRITERS).entries()) writer.type(`echo by${index}$((1))\r`);
        for (const terminal of all) for (const index of [0, 1, 2]) await terminal.shows(`by${index}1`);
        first.type('exit 4\r');
        await Promise.all(all.map(({ ended }) => ended));
        for (const terminal of all) {
          same('exit', terminal.exit, { code: 4, signal: '' });
          expect(terminal.output.equals(first.output), `output differs: ${terminal.text.slice(-100)}`);
        }
      },
    },
    {
      name: 'refuses readers of another person, and more than the most, and keeps the rest',
      run: async (subject) => {
        const first = await subject.terminal({ join: true });
        await opened(first);
        const { session } = first;
        const stranger = await subject.terminal({ session, follow: true, userId: 'user-2' });
        await stranger.ended;
        same('code for a stranger', stranger.code, TerminalRefusal.GONE);
        const none = await subject.terminal({ session: 'none', follow: true });
        await none.ended;
        same('code without a terminal', none.code, TerminalRefusal.GONE);
        for (let count = 1; count < WRITERS; count++) await opened(await subject.terminal({ session, join: true }));
        const fourth = await subject.terminal({ session, join: true });
        await fourth.ended;
        same('code for a writer too many', fourth.code, TerminalRefusal.FULL);
        first.type('echo still$((1))\r');
        await first.shows('still1');
        first.close();
        await first.ended;
      },
    },
    {
      name: 'lets a reader without acknowledgements slow nobody, and shows it a snapshot and what follows',
      run: async (subject) => {
        const writer = await subject.terminal({ join: true });
        await opened(writer);
        const slow = await subject.terminal({ session: writer.session, follow: true });
        await opened(slow);
        slow.acks = false;
        writer.type(`stty -echo; PS1=; seq ${LINES}; echo LAST$((1))\r`);
        await writer.shows('LAST1');
        same('snapshots of the writer', writer.snapshots.length, 0);
        slow.acks = true;
        slow.ack(slow.offset);
        await slow.until(() => slow.snapshots.length > 0);
        await slow.shows('LAST1');
        writer.type('echo more$((1))\r');
        await slow.shows('more1');
        same('the offset of the reader', slow.offset, writer.offset);
        writer.close();
        await slow.ended;
        same('exit', slow.exit, { code: 0, signal: 'SIGHUP' });
      },
    },
    {
      name: 'has the smallest window of its writers, or the one of the writer that asks',
      run: async (subject) => {
        const first = await subject.terminal({ join: true });
        await opened(first);
        const second = await subject.terminal({ session: first.session, join: true });
        await opened(second);
        const sized = (terminal: TerminalClient, cols: number, rows: number) =>
          terminal.until(() => terminal.size?.cols === cols && terminal.size.rows === rows);
        first.resize(120, 20);
        await sized(second, 80, 20);
        second.sizing(TerminalSizing.MINE);
        await sized(first, 80, 24);
        second.sizing(TerminalSizing.SMALLEST);
        await sized(first, 80, 20);
        second.abort();
        await sized(first, 120, 20);
        first.type('stty size\r');
        await first.shows('20 120');
        const only = await subject.terminal({ session: first.session });
        await first.ended;
        same('code after another one took over', first.code, TerminalRefusal.TAKEN_OVER);
        only.close();
        await only.ended;
      },
    },
  ],
};
