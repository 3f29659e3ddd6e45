import type { Finding } from './finding.ts';

const WIDTH = 10;

/** Formats findings for people, a line each with advice below, or as JSON. */
export function report(found: readonly Finding[], json: boolean): string {
  if (json) return `${JSON.stringify(found, undefined, 2)}\n`;
  const lines = found.map(({ status, check, detail, advice }) => {
    const line = `${status.padEnd(5)} ${check.padEnd(WIDTH)} ${detail}`;
    return advice === undefined ? line : `${line}\n${' '.repeat(WIDTH + 7)}${advice}`;
  });
  const count = (status: string) => found.filter((finding) => finding.status === status).length;
  const sum = `${count('ok')} ok, ${count('warn')} to look at, ${count('fail')} failed, ${count('skip')} not checked`;
  return `${lines.join('\n')}\n\n${sum}\n`;
}

/** Returns the exit code: 1 if a check failed. */
export function exitCode(found: readonly Finding[]): number {
  return found.some(({ status }) => status === 'fail') ? 1 : 0;
}
