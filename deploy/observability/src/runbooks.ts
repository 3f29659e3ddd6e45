import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './artefacts.ts';
import { RUNBOOKS } from './rules/rule.ts';

/** A command in a runbook. */
export interface Command {
  /** Name of the page without extension. */
  runbook: string;
  /** The heading above it. */
  section: string;
  text: string;
}

/** Reads all runbooks by name, without their index. */
export async function runbooks(): Promise<Map<string, string>> {
  const folder = join(root, RUNBOOKS);
  const names = (await readdir(folder)).filter((file) => file !== 'README.md').map((file) => file.replace(/\.md$/, ''));
  const texts = names.map(async (name) => [name, await readFile(join(folder, `${name}.md`), 'utf8')] as const);
  return new Map(await Promise.all(texts));
}

/** Lists each line of a runbook's `sh` blocks. */
export function blocksOf(runbook: string, text: string): Command[] {
  return text.split(/^## /m).flatMap((part) => {
    const section = part.slice(0, part.indexOf('\n'));
    const blocks = [...part.matchAll(/^```sh\n(.*?)^```/gms)].map(([, lines = '']) => lines);
    const lines = blocks.flatMap((block) => block.trimEnd().split('\n'));
    return lines.map((line) => ({ runbook, section, text: line }));
  });
}

/** Lists the commands of a runbook: those of its blocks, and those within its sentences. */
export function commandsOf(runbook: string, text: string): Command[] {
  const inline = text.split(/^## /m).flatMap((part) => {
    const section = part.slice(0, part.indexOf('\n'));
    const prose = part.replaceAll(/^```sh\n.*?^```/gms, '');
    const commands = [...prose.matchAll(/`((?:docker|kubectl|helm) [^`]*)`/g)].map(([, command = '']) => command);
    return commands.map((command) => ({ runbook, section, text: command }));
  });
  return [...blocksOf(runbook, text), ...inline];
}
