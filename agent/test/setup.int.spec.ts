import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../packaging/setup.sh');
const asRoot = process.getuid?.() === 0 ? describe : describe.skip;
const [ROOT, AGENT] = [0, 65_534];

// Users and units are tested on machines with systemd (deploy/e2e).
asRoot('the owners of the state folder', () => {
  let folder: string;
  let state: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'warren-setup-'));
    await chmod(folder, 0o755);
    state = join(folder, 'state');
    await mkdir(join(state, 'update'), { recursive: true });
    for (const name of ['key.pem', 'device.json']) await writeFile(join(state, name), name, { mode: 0o640 });
    await writeFile(join(folder, 'secret'), 'of root', { mode: 0o640 });
    await chown(state, AGENT, AGENT);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const entry = async (path: string) => {
    const { uid, mode } = await stat(path);
    return [uid, (mode & 0o777).toString(8)];
  };
  const entries = () => Promise.all([state, join(state, 'key.pem'), join(state, 'device.json')].map(entry));
  const RIGHT = [
    [AGENT, '711'],
    [AGENT, '600'],
    [AGENT, '644'],
  ];

  /** Runs that step alone, with another user in the agent's place. */
  const ownFiles = async (env: NodeJS.ProcessEnv = process.env) => {
    const functions = (await readFile(script, 'utf8')).replace(/^status=0$[^]*/m, 'AGENT_USER=nobody\nown_files\n');
    await run('sh', ['-c', functions, script, folder, state], { env });
  };

  it('are repaired', async () => {
    await ownFiles();
    expect(await entries()).toEqual(RIGHT);
    expect(await entry(join(state, 'update'))).toEqual([AGENT, '755']);
  });

  it('are left alone where they are right', async () => {
    await ownFiles();
    const before = await stat(state, { bigint: true });
    await ownFiles();
    expect((await stat(state, { bigint: true })).ctimeNs).toBe(before.ctimeNs);
  });

  it('are changed through no link that the agent puts in place of a file meanwhile', async () => {
    const bin = join(folder, 'bin');
    await mkdir(bin);
    const link = `setpriv --reuid=${AGENT} --clear-groups ln -sfn ${folder}/secret "$2"`;
    await writeFile(join(bin, 'chmod'), `#!/bin/sh\n${link} 2>/dev/null\nexec /bin/chmod "$@"\n`, { mode: 0o755 });
    await ownFiles({ ...process.env, PATH: `${bin}:${process.env['PATH']}` });
    expect(await entry(join(folder, 'secret'))).toEqual([ROOT, '640']);
    expect(await entries()).toEqual(RIGHT);
  });
});
