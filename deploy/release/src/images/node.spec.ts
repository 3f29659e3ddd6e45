import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNode, hubProblem } from './node.ts';

describe('the Node of images', () => {
  let dist = '';
  beforeEach(async () => {
    dist = await mkdtemp(join(tmpdir(), 'warren-node-'));
    process.env['WARREN_NODE_DIST'] = dist;
  });
  afterEach(async () => {
    delete process.env['WARREN_NODE_DIST'];
    await rm(dist, { recursive: true });
  });

  it('may be an unpacked archive of nodejs.org, one for each processor', async () => {
    const folder = join(dist, 'node-v24.22.1-linux-arm64');
    await mkdir(join(folder, 'bin'), { recursive: true });
    await writeFile(join(folder, 'bin/node'), 'a program');
    expect(await findNode('arm64')).toMatchObject({ folder, version: '24.22.1' });
    await expect(findNode('amd64')).rejects.toThrow(
      `WARREN_NODE_DIST is ${dist}, which has 0 for amd64: expected one folder node-v24.22.1-linux-x64`,
    );
  });

  it('is held to all security releases, without those that the agent alone tolerates', () => {
    expect(hubProblem('24.21.0')).toContain('Node 24.21.0 has known vulnerabilities: package 24.22.1 or later');
    expect(hubProblem('24.22.1')).toBeUndefined();
  });
});
