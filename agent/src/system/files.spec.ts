import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAtomically } from './files.ts';

describe('an atomically written file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'warren-files-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const temporary = () => join(folder, `.device.json.${process.pid}.tmp`);

  it('follows no symbolic link at the path of its temporary file', async () => {
    const other = join(folder, 'other');
    await writeFile(other, 'kept', { mode: 0o600 });
    await symlink(other, temporary());
    await writeAtomically(join(folder, 'device.json'), 'new', 0o644);
    expect(await readFile(other, 'utf8')).toBe('kept');
    expect(await readFile(join(folder, 'device.json'), 'utf8')).toBe('new');
    expect((await readdir(folder)).sort()).toEqual(['device.json', 'other']);
  });

  it('replaces the remains of an interrupted write', async () => {
    await writeFile(temporary(), 'half of a longer text');
    await writeAtomically(join(folder, 'device.json'), 'new');
    expect(await readFile(join(folder, 'device.json'), 'utf8')).toBe('new');
    expect(await readdir(folder)).toEqual(['device.json']);
  });
});
