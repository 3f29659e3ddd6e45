import { relative } from 'node:path';
import { styleText } from 'node:util';
import { places, root } from './settings.ts';
import type { Warren } from './warren.ts';

const row = (cells: string[], widths: number[]) =>
  cells
    .map((cell, index) => cell.padEnd(widths[index] ?? 0))
    .join('  ')
    .trimEnd();

function table(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows.map((cells) => row(cells, widths));
}

/** Returns a path relative to the checkout. */
function shown(path: string): string {
  const near = relative(root, path);
  return near.startsWith('..') ? path : near;
}

/** Formats the summary of a start: the URL, the people, the mail, how to stop. */
export function summary({ urls, people, settings }: Warren, seconds: number): string {
  const bold = (text: string) => styleText('bold', text);
  const rows = table(people.map(({ email, role, account, name }) => [email, role, account, name]));
  return [
    '',
    `  ${bold('Warren is ready')} after ${seconds.toFixed(1)} s at ${bold(styleText('cyan', urls.hub))}`,
    '',
    '  Sign in as',
    ...rows.map((line) => `    ${line}`),
    '',
    `  Mail   ${urls.mail}`,
    `  Logs   ${shown(places(settings.home).logs)}`,
    `  Stop   Ctrl-C (the data stays in ${shown(settings.home)})`,
    '',
    '',
  ].join('\n');
}
