import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessSpec } from '@warren/infra/process';
import { Processes } from '../src/context.ts';
import { pause, Supervised } from '../src/supervised.ts';

let dir: string;
const lines: string[] = [];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'warren-supervised-'));
  lines.length = 0;
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** A process that is ready once its file `name` is there, and adds a line to `order` when it is stopped. */
const sample = (name: string, script = 'sleep 60 & wait'): ProcessSpec => ({
  name,
  command: '/bin/sh',
  args: ['-c', `trap 'echo ${name} >> "$0/order"; kill $! ; exit' TERM; touch "$0/${name}"; ${script}`, dir],
  log: join(dir, `${name}.log`),
  ready: () => (existsSync(join(dir, name)) ? Promise.resolve() : Promise.reject(new Error('not yet'))),
});
const alive = (pid: number) => existsSync(`/proc/${pid}`);

describe('a supervised process', () => {
  it('comes back when it is killed, and is gone when it is stopped', async () => {
    const one = new Supervised(sample('one'), (line) => lines.push(line));
    await one.start();
    const first = one.pid;
    await rm(join(dir, 'one'));
    one.kill('SIGKILL');
    while (one.pid === first) await new Promise((resolve) => setTimeout(resolve, 5));
    await one.ready();
    expect(one.pid).not.toBe(first);
    expect(lines).toEqual([expect.stringMatching(/^one ended \(SIGKILL\); it starts again in 0.2 s/)]);
    const second = one.pid;
    await one.stop();
    expect([alive(first), alive(second), one.pid]).toEqual([false, false, 0]);
  });

  it('ends in good order before another program takes its place, which comes back when it is killed', async () => {
    const one = new Supervised(sample('one'), (line) => lines.push(line));
    await one.start();
    const first = one.pid;
    await one.replace({ ...sample('other'), name: 'one' });
    expect([await readFile(join(dir, 'order'), 'utf8'), alive(first)]).toEqual(['one\n', false]);
    const second = one.pid;
    await rm(join(dir, 'other'));
    one.kill('SIGKILL');
    while (one.pid === second) await new Promise((resolve) => setTimeout(resolve, 5));
    await one.ready();
    await one.stop();
    expect(await readFile(join(dir, 'order'), 'utf8')).toBe('one\nother\n');
    expect(lines).toEqual([expect.stringMatching(/^one ended \(SIGKILL\)/)]);
  });

  it('is not tried again when its first start fails; the error has the end of its log', async () => {
    const one = new Supervised(
      { ...sample('one', 'echo broken; exit 2'), ready: () => Promise.reject(new Error('no')) },
      (line) => lines.push(line),
    );
    await expect(one.start()).rejects.toThrow(/one ended \(code 2\) before it was ready: broken/);
    expect(lines).toEqual([]);
  });
});

it('waits longer after each fall, up to ten seconds', () => {
  expect([1, 2, 3, 4, 20].map(pause)).toEqual([200, 400, 800, 1600, 10_000]);
});

describe('the processes of a start', () => {
  it('stop in the order against their start', async () => {
    const processes = new Processes(() => undefined);
    await processes.start([sample('database')]);
    await processes.start([sample('service')]);
    await processes.start([sample('agent')]);
    await processes.stop();
    expect(await readFile(join(dir, 'order'), 'utf8')).toBe('agent\nservice\ndatabase\n');
  });

  it('are found by name', async () => {
    const processes = new Processes(() => undefined);
    await processes.start([sample('one')]);
    expect(() => processes.find('two')).toThrow("there is no 'two', only one");
    await processes.stop();
  });
});
