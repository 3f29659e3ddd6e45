import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { launch, untilReady, type ProcessSpec } from '../src/process.ts';

async function until(condition: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 30_000; !condition(); await sleep(10)) {
    if (Date.now() > deadline) throw new Error('the condition did not come true in 30 s');
  }
}

async function inFolder(work: (spec: (script: string) => ProcessSpec) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'warren-test-'));
  const spec = (script: string): ProcessSpec => ({
    name: 'sample',
    command: '/bin/sh',
    args: ['-c', script],
    log: join(dir, 'log'),
    ready: () => (existsSync(join(dir, 'up')) ? Promise.resolve() : Promise.reject(new Error('no file'))),
    env: { ...process.env, UP: join(dir, 'up') },
  });
  await work(spec).finally(() => rm(dir, { recursive: true, force: true }));
}

describe('launch', () => {
  it('waits until it is ready, and for its end', () =>
    inFolder(async (spec) => {
      const sample = spec('sleep 0.1; touch "$UP"; exec sleep 60');
      const running = launch(sample);
      await untilReady(sample, running);
      await running.stop();
      expect(await running.ended).toBe('SIGTERM');
      expect(existsSync(`/proc/${running.pid}`)).toBe(false);
    }));

  it('kills what does not listen to the stop signal', () =>
    inFolder(async (spec) => {
      const sample = { ...spec('trap "" TERM; touch "$UP"; while :; do sleep 0.05; done'), stopTimeout: 100 };
      const running = launch(sample);
      await untilReady(sample, running);
      await running.stop();
      expect(await running.ended).toBe('SIGKILL');
    }));

  it('tells why a process did not come up, from its log', () =>
    inFolder(async (spec) => {
      const sample = spec('echo the disk is on fire >&2; exit 3');
      const running = launch(sample);
      await expect(untilReady(sample, running)).rejects.toThrow(
        'sample ended (code 3) before it was ready: the disk is on fire',
      );
    }));

  it('leaves nothing behind when the one who launched is killed with -9', () =>
    inFolder(async (spec) => {
      const { name, command, args, log } = spec('exec sleep 60');
      const launcher = `const { launch } = await import(${JSON.stringify(join(import.meta.dirname, '../src/process.ts'))});
        const { pid } = launch(${JSON.stringify({ name, command, args, log })});
        console.log(pid); setInterval(() => {}, 1000);`;
      const parent = spawn(process.execPath, ['--input-type=module', '-e', launcher], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(line.toString());
      // What it starts as asks for the signal first, and then becomes the program.
      await until(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('sleep'));
      parent.kill('SIGKILL');
      await until(() => !existsSync(`/proc/${pid}`));
    }));
});
