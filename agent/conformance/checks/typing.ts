import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TerminalClient } from '../../test/terminal-client.ts';
import type { Group } from '../check.ts';
import { expect, same } from '../expect.ts';

const BYTES = 256 * 1024;
const PIECE = 16_384;
const CUTS = 3;

/** Distinguishable lines. */
function numbered(bytes: number): Buffer {
  let text = '';
  for (let index = 0; text.length < bytes; index++) text += `${index}:${(index * 7919) % 10_007}\n`;
  return Buffer.from(text);
}

export const typing: Group = {
  name: 'typing',
  checks: [
    {
      name: 'types each byte once, wherever the link breaks',
      run: async (subject) => {
        await subject.enrol();
        const file = join(subject.folder, 'typed');
        let terminal = await subject.terminal({ writer: 'screen' });
        terminal.type(`stty raw -echo; echo go$((1)); exec cat > ${file}\r`);
        await terminal.shows('go1');
        await terminal.until(() => terminal.typed > 0);
        const before = terminal.typed;
        const text = numbered(BYTES);
        for (let cut = 1; cut <= CUTS; cut++) {
          const goal = before + Math.floor((text.length * cut) / (CUTS + 1));
          for (let at = terminal.typed - before; at < text.length; at += PIECE) {
            terminal.type(text.subarray(at, at + PIECE));
          }
          await terminal.until(() => terminal.typed >= goal);
          const count = subject.hub.links.length;
          subject.hub.links.at(-1)!.socket.destroy();
          await terminal.ended;
          const { client } = await subject.linkAfter(count);
          const { session, offset } = terminal;
          const next = new TerminalClient(client, { session, offset, writer: 'screen' });
          await next.until(() => next.typedAtOpen >= 0);
          expect(next.typedAtOpen >= goal, `it says ${next.typedAtOpen} bytes after it had accepted ${goal}`);
          terminal = next;
        }
        terminal.type(text.subarray(terminal.typed - before));
        const written = () => readFile(file).catch(() => Buffer.alloc(0));
        await subject.until('all that was typed', async () => (await written()).length >= text.length);
        expect((await written()).equals(text), 'what the program read differs from what was typed');
        terminal.close();
        await terminal.ended;
      },
    },
    {
      name: 'counts nothing for a screen without a name',
      run: async (subject) => {
        const terminal = await subject.terminal();
        terminal.type('echo $((6*7))\r');
        await terminal.shows('42');
        same('typed', terminal.typed, 0);
      },
    },
  ],
};
