import { setTimeout as wait } from 'node:timers/promises';
import { percentile } from '../stats.ts';
import { quiet, untilOutput, type Target, type Terminal } from '../terminal.ts';

export interface EchoResult {
  p50Ms: number;
  p99Ms: number;
  /** With 10 ms between an echo and the next keystroke, in which processors fall asleep as they do between a person's. */
  pausedMs: number;
}

const PAUSE_MS = 10;
const PAUSED = 300;

/** One keystroke after another through `cat` on a raw terminal: the time from writing a byte to reading it back. */
export async function echo(target: Target, samples: number): Promise<EchoResult> {
  const terminal = await target.open();
  try {
    await quiet(terminal);
    await untilOutput(terminal, 'cat-ready', () => terminal.write("echo cat'-'ready; exec cat\n"));
    for (let warm = 0; warm < 200; warm++) await roundTrip(terminal);
    const times: number[] = [];
    for (let count = 0; count < samples; count++) times.push(await roundTrip(terminal));
    const paused: number[] = [];
    for (let count = 0; count < PAUSED; count++) {
      await wait(PAUSE_MS);
      paused.push(await roundTrip(terminal));
    }
    return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99), pausedMs: percentile(paused, 0.5) };
  } finally {
    await terminal.close();
  }
}

function roundTrip(terminal: Terminal): Promise<number> {
  return new Promise((resolve) => {
    const start = performance.now();
    const undo = terminal.onOutput(() => {
      undo();
      resolve(performance.now() - start);
    });
    terminal.write('x');
  });
}
