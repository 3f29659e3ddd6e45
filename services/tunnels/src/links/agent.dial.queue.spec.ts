import { describe, expect, it } from '@jest/globals';
import { AgentDialQueue } from './agent.dial.queue.ts';

function task() {
  const { promise, resolve } = Promise.withResolvers<string>();
  let begun = false;
  return { work: () => ((begun = true), promise), resolve, begun: () => begun };
}

describe('the queue of dials', () => {
  it('lets so many run at once, and the others in the order in which they came', async () => {
    const queue = new AgentDialQueue({ atOnce: 2, longestMs: 1_000 });
    const tasks = [task(), task(), task(), task()];
    const results = tasks.map(({ work }) => queue.run(work));
    expect(tasks.map(({ begun }) => begun())).toEqual([true, true, false, false]);
    tasks[1]?.resolve('b');
    await results[1];
    expect(tasks.map(({ begun }) => begun())).toEqual([true, true, true, false]);
    for (const one of tasks) one.resolve('done');
    expect(await Promise.all(results)).toEqual(['done', 'b', 'done', 'done']);
  });

  it('turns away who would wait for too long, and says until when', async () => {
    let now = 0;
    const queue = new AgentDialQueue({ atOnce: 1, longestMs: 1_000 }, () => now);
    // Ten a second.
    for (let turn = 0; turn < 50; turn++) await queue.run(async () => void (now += 100));
    const running = task();
    const waiting = Array.from({ length: 12 }, () => queue.run(running.work));
    const refused = queue.run(running.work).catch((error: unknown) => error);
    expect(await refused).toMatchObject({ code: 'unavailable', retryAfter: 2 });
    running.resolve('done');
    await Promise.all(waiting);
  });

  it('does not count how long failures took', async () => {
    let now = 0;
    const queue = new AgentDialQueue({ atOnce: 1, longestMs: 1_000 }, () => now);
    const failing = () => Promise.reject(new Error(`no, at ${(now += 7_000)}`));
    for (let turn = 0; turn < 5; turn++) await expect(queue.run(failing)).rejects.toThrow('no');
    const running = task();
    const all = Array.from({ length: 20 }, () => queue.run(running.work));
    running.resolve('done');
    expect(await Promise.all(all)).toHaveLength(20);
  });

  it('continues after a failure', async () => {
    const queue = new AgentDialQueue({ atOnce: 1, longestMs: 1_000 });
    const failed = queue.run(() => Promise.reject(new Error('no')));
    const after = queue.run(async () => 'yes');
    await expect(failed).rejects.toThrow('no');
    expect(await after).toBe('yes');
  });
});
