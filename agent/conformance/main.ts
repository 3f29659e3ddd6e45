import type { Outcome } from './check.ts';
import { conform } from './run.ts';

/** `node agent/conformance/main.ts <command line of an agent>`: one line for each check; ends with 1 when one fails, 64 without a command. */
async function main(words: string[]): Promise<number> {
  const command = words.join(' ').trim().split(/\s+/);
  if (!command[0]) {
    process.stderr.write("Which agent? For example: make conformance AGENT='node agent/dist/main.js'\n");
    return 64;
  }
  const since = performance.now();
  const outcomes = await conform(command, (outcome) => process.stdout.write(`${inWords(outcome)}\n`));
  const failed = outcomes.filter(({ problem }) => problem !== undefined).length;
  const seconds = ((performance.now() - since) / 1000).toFixed(1);
  process.stdout.write(`${outcomes.length - failed} of ${outcomes.length} checks passed in ${seconds} s\n`);
  return failed === 0 ? 0 : 1;
}

function inWords({ group, name, problem, milliseconds }: Outcome): string {
  const what = `${group}: ${name} (${(milliseconds / 1000).toFixed(1)} s)`;
  return problem === undefined ? `pass  ${what}` : `FAIL  ${what}\n      ${problem}`;
}

process.exit(await main(process.argv.slice(2)));
