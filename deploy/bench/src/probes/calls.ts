import { Agent, get } from 'node:http';
import type { Place } from './load.ts';

/**
 * Asks for one path over one kept connection, each call after the answer to the one before.
 * @returns milliseconds from each request to the last byte of its answer
 * @throws Error for an answer that is not 200
 */
export async function callsInTurn({ url, headers }: Place, path: string, calls: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const call = () =>
    new Promise<void>((resolve, reject) => {
      get(new URL(path, url), { agent, headers }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${path}: expected 200, got ${answer.statusCode}`));
        answer.once('end', resolve).once('error', reject).resume();
      }).once('error', reject);
    });
  const times: number[] = [];
  try {
    for (let made = 0; made < calls; made++) {
      const begun = performance.now();
      await call();
      times.push(performance.now() - begun);
    }
  } finally {
    agent.destroy();
  }
  return times;
}
