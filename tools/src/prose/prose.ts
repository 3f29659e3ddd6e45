import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { QUOTED, TERMS } from './vocabulary.mjs';

interface Finding {
  line: number;
  found: string;
  /** What to say instead. */
  instead: string;
}

/** Markdown has textlint, which knows code from text. The others are pictures, other people's texts, and the vocabulary itself. */
const LEFT_OUT =
  /\.(?:md|webp|png|svg|ico)$|(?:^|\/)package-lock\.json$|^helm\/schemas\/|^LICENSE$|^tools\/(?:src|test)\/prose/;

/** One expression for a quick look at a text, in which most have nothing to find. */
const ANY = new RegExp(TERMS.map(([expression]) => expression).join('|'), 'i');
const EACH = TERMS.map(([expression, instead]) => ({ expression: new RegExp(expression, 'gi'), instead }));

/** Finds what the vocabulary refuses in a text of any kind: comments, messages, descriptions. @param quotes texts that may stay */
function findingsIn(text: string, quotes: readonly string[] = []): Finding[] {
  const own = quotes.reduce((rest, quote) => rest.replaceAll(quote, (it) => it.replaceAll(/\S/g, '-')), text);
  if (!ANY.test(own)) return [];
  return EACH.flatMap(({ expression, instead }) =>
    [...own.matchAll(expression)].map(({ 0: found, index }) => ({
      line: own.slice(0, index).split('\n').length,
      found: found.replaceAll(/\s+/g, ' '),
      instead,
    })),
  ).toSorted((a, b) => a.line - b.line);
}

/** The texts of a checkout that the check reads, also those not yet committed. */
export function checkedFiles(root: string): string[] {
  const listed = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  return listed.split('\0').filter((file) => file && !LEFT_OUT.test(file) && existsSync(join(root, file)));
}

/** Checks a checkout. Returns a line for each finding. */
export function checkTexts(root: string): string[] {
  return checkedFiles(root).flatMap((file) =>
    findingsIn(readFileSync(join(root, file), 'utf8'), QUOTED[file]).map(
      ({ line, found, instead }) => `${file}:${line}: Unclear term: “${found}”, use “${instead}” instead`,
    ),
  );
}

if (import.meta.main) {
  const findings = checkTexts(resolve(import.meta.dirname, '../../..'));
  for (const finding of findings) console.error(finding);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
