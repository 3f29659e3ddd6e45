import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@warren/local/settings';
import { dockerfile } from './places.ts';
import { stageCommands } from './stage.ts';
import { contentsOf, targetNames } from './targets.ts';

describe('the commands of images', () => {
  let app = '';
  beforeEach(async () => {
    app = await mkdtemp(join(tmpdir(), 'warren-commands-'));
  });
  afterEach(() => rm(app, { recursive: true }));

  it.each(['audit', 'hub'] as const)(
    '%s: warren-audit is executable and starts a built program of it',
    async (target) => {
      await stageCommands(target, app);
      expect(await readdir(join(app, 'bin'))).toEqual(['warren-audit']);
      const file = join(app, 'bin/warren-audit');
      expect((await stat(file)).mode & 0o777).toBe(0o755);
      const text = await readFile(file, 'utf8');
      const [, program = ''] = /^#!\/usr\/local\/bin\/node\nimport\('\/app\/(.*)'\);\n$/.exec(text) ?? [];
      expect(contentsOf(target).runs.filter((workspace) => program.startsWith(`${workspace}/dist/`))).toHaveLength(1);
      expect(existsSync(join(root, program))).toBe(true);
    },
  );

  it('are copied by the Dockerfile for the images that have some, and for no other', async () => {
    const stages = (await readFile(dockerfile, 'utf8')).split(/^FROM /m);
    const copying = stages.filter((stage) => stage.includes('COPY ${TARGETARCH}/bin /usr/local/bin\n'));
    const names = copying.map((stage) => / AS (\S+)/.exec(stage)?.[1]);
    expect(names).toEqual(targetNames.filter((target) => contentsOf(target).commands));
  });
});
