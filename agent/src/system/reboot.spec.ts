import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rebootBy } from './reboot.ts';

describe('a reboot', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'warren-reboot-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('runs the command with unchanged arguments', async () => {
    await rebootBy(['touch', join(folder, '$(a b)')])();
    expect(await readdir(folder)).toEqual(['$(a b)']);
  });

  it('rejects with the reason of a failure', async () => {
    await expect(rebootBy(['sh', '-c', 'echo Access denied >&2; echo more >&2; exit 1'])()).rejects.toThrow(
      /^Access denied$/,
    );
    await expect(rebootBy(['sh', '-c', 'exit 4'])()).rejects.toThrow(/^sh failed \(4\)$/);
    await expect(rebootBy([join(folder, 'nothing')])()).rejects.toThrow(/has no .*nothing/);
  });
});
