import { performance } from 'node:perf_hooks';
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

/** Shows the steps of a start, one line each. */
export interface Progress {
  /** Runs a step and shows its duration. The step can change its label by `note`. */
  step<T>(name: string, work: (note: (text: string) => void) => Promise<T>): Promise<T>;
  /** Prints a separate line. */
  say(text: string): void;
}

const width = 34;
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`.padStart(7);

/** Shows progress on a terminal by rewriting the line of the running step, else as plain lines. */
export function terminalProgress(out: Writable & { isTTY?: boolean }): Progress {
  const redraw = (text: string) => void (out.isTTY && out.write(`\r\x1b[K${text}`));
  const finish = (text: string) => void out.write(out.isTTY ? `\r\x1b[K${text}\n` : `${text}\n`);
  return {
    async step(name, work) {
      const since = performance.now();
      let label = name;
      redraw(`  · ${label}`);
      try {
        const result = await work((text) => {
          label = `${name}: ${text}`;
          redraw(`  · ${label}`);
        });
        finish(`  ${styleText('green', '✓')} ${label.padEnd(width)}${seconds(since)}`);
        return result;
      } catch (error) {
        finish(`  ${styleText('red', '✗')} ${label}`);
        throw error;
      }
    },
    say: (text) => finish(text),
  };
}

/** Shows nothing, for tests. */
export const silent: Progress = { step: (_name, work) => work(() => undefined), say: () => undefined };
