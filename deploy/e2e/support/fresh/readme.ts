import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../../../..');

/** What the README tells one to type: the lines of its shell blocks, and commands in the midst of a sentence. */
export function commandsIn(readme: string): string[] {
  const blocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, text = '']) => text.split('\n'));
  const lines = blocks
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const inline = [...readme.matchAll(/`((?:make|node|npm|npx) [^`\n]+)`/g)].map(([, text = '']) => text);
  return [...new Set([...lines, ...inline])].sort();
}

export async function readmeCommands(): Promise<string[]> {
  return commandsIn(await readFile(join(root, 'README.md'), 'utf8'));
}
