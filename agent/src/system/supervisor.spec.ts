import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { Supervisor, type Supervision } from './supervisor.ts';

describe('notifications to systemd', () => {
  let folder: string;
  const told = async () => (await readFile(join(folder, 'told'), 'utf8').catch(() => '')).trim().split('\n');

  const supervisor = (supervision?: Supervision) =>
    new Supervisor(supervision, pino({ level: 'silent' }), join(folder, 'helper'));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'warren-notify-'));
    // Replaces the helper, and records its input, and which process received it.
    await writeFile(join(folder, 'helper'), `#!/bin/sh\necho $$ >>'${folder}/started'\nexec cat >>'${folder}/told'\n`);
    await chmod(join(folder, 'helper'), 0o755);
  });

  afterEach(async () => {
    // A notification in flight may still be written.
    await rm(folder, { recursive: true, maxRetries: 10 });
  });

  it('report readiness, and notify the watchdog twice per timeout', async () => {
    const agent = supervisor({ watchdog: 200_000 });
    agent.ready();
    await until(async () => (await told()).filter((line) => line === 'WATCHDOG=1').length > 2);
    expect(await told()).toContain('READY=1');
    agent.status('Connected to\nhttps://hub');
    agent.stopping();
    await until(async () => (await told()).includes('STOPPING=1'));
    await until(async () => (await told()).includes('STATUS=Connected to https://hub'));
    // One process for all: the watchdog is notified even on a device that can start no other process.
    expect((await readFile(join(folder, 'started'), 'utf8')).trim().split('\n')).toHaveLength(1);
  });

  it('continue with a new helper after the first one was killed', async () => {
    const agent = supervisor({ watchdog: 200_000 });
    agent.ready();
    const started = async () => (await readFile(join(folder, 'started'), 'utf8').catch(() => '')).trim().split('\n');
    await until(async () => (await told()).includes('WATCHDOG=1'));
    process.kill(Number((await started())[0]), 'SIGKILL');
    await until(async () => (await started()).length === 2);
    const before = (await told()).length;
    await until(async () => (await told()).length > before);
    agent.stopping();
  });

  it('are omitted if systemd does not listen', async () => {
    const agent = supervisor(undefined);
    agent.ready();
    agent.stopping();
    expect(await told()).toEqual(['']);
  });
});
