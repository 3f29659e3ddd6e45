import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { findProgram } from '@warren/infra/programs';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { Installation } from './installation.ts';
import { S3 } from './s3.ts';

const OLD = 'warren-20200101T000000Z.dump';

describe('backup.sh, with S3,', () => {
  let warren: Installation;
  let s3: S3;
  let settings: NodeJS.ProcessEnv;
  let number = 0;
  let prefix: string;

  beforeAll(async () => {
    warren = await Installation.start();
    s3 = await S3.start();
    await warren.insert('in the dump');
  });
  afterAll(async () => {
    await warren?.stop();
    await s3?.stop();
  });
  beforeEach(async () => {
    await rm(join(warren.folder, 'backups'), { recursive: true });
    await mkdir(join(warren.folder, 'backups'));
    prefix = `hub/${++number}`;
    settings = { ...s3.settings, WARREN_BACKUP_S3_PREFIX: `${prefix}/` };
    await mkdir(join(s3.folder, prefix), { recursive: true });
  });

  const fails = (more: NodeJS.ProcessEnv, code: number, words: string) =>
    expect(warren.script('backup.sh', [], { ...settings, ...more })).rejects.toMatchObject({
      code,
      stderr: expect.stringContaining(words) as unknown,
    });

  it('copies the dump and its checksum, lists them, and restores from there on a machine that has none', async () => {
    const identity = join(warren.folder, 'key.txt');
    execFileSync('age-keygen', ['-o', identity], { stdio: 'ignore' });
    const recipient = execFileSync('age-keygen', ['-y', identity], { encoding: 'utf8' }).trim();
    const file = await warren.script('backup.sh', [], { ...settings, WARREN_BACKUP_RECIPIENT: recipient });
    const name = basename(file);
    await expect(s3.names(prefix)).resolves.toEqual([name, `${name}.sha256`]);
    await expect(readFile(join(s3.folder, prefix, name))).resolves.toEqual(await readFile(file));
    await expect(warren.script('backup.sh', ['--list'], settings)).resolves.toBe(`${name}\n${name}.sha256`);
    await rm(join(warren.folder, 'backups'), { recursive: true });
    await mkdir(join(warren.folder, 'backups'));
    await warren.insert('after the backup');
    await warren.script('restore.sh', [`s3:${name}`, '--identity', identity], settings);
    await expect(warren.actors()).resolves.toEqual(['in the dump']);
    await expect(warren.script('restore.sh', ['s3:warren-20200101T000000Z.dump'], settings)).rejects.toMatchObject({
      code: 66,
    });
  });

  it('copies to the bucket itself without a folder', async () => {
    const file = await warren.script('backup.sh', [], { ...settings, WARREN_BACKUP_S3_PREFIX: '' });
    await expect(s3.names()).resolves.toContain(basename(file));
  });

  it('deletes expired ones there too, but nothing else, and nothing where the bucket does that', async () => {
    const plant = async (name: string) => {
      for (const file of [name, `${name}.sha256`]) await writeFile(join(s3.folder, prefix, file), 'old');
    };
    await plant(OLD);
    await writeFile(join(s3.folder, prefix, 'warren-notes.txt'), 'kept');
    const once = { ...settings, WARREN_BACKUP_KEEP_LAST: '1' };
    await warren.script('backup.sh', [], { ...once, WARREN_BACKUP_S3_DELETE: 'false' });
    await expect(s3.names(prefix)).resolves.toEqual(expect.arrayContaining([OLD, `${OLD}.sha256`]));
    const last = basename(await warren.script('backup.sh', [], once));
    const left = await s3.names(prefix);
    expect(left).toEqual(expect.arrayContaining([last, `${last}.sha256`, 'warren-notes.txt']));
    expect(left).not.toContain(OLD);
    expect(left).not.toContain(`${OLD}.sha256`);
  });

  it('fails when what is stored is not what was sent, and deletes no old backup', async () => {
    await writeFile(join(warren.folder, 'backups', OLD), 'old');
    await warren.sql('UPDATE tenancy.backups SET succeeded_at = NULL');
    const damaging = join(warren.folder, 'damaging');
    await mkdir(damaging);
    // The store changes a byte once the copy is there.
    await writeFile(
      join(damaging, 'rclone'),
      `#!/bin/sh\n${findProgram('rclone')} "$@" || exit\ncase "$*" in *copyto*.dump) printf x | dd of="$STORED/$(basename "$(eval "echo \\\${$#}")")" bs=1 seek=9 conv=notrunc status=none ;; esac\n`,
    );
    await chmod(join(damaging, 'rclone'), 0o755);
    const path = [damaging, warren.path].join(delimiter);
    await fails({ PATH: path, STORED: join(s3.folder, prefix) }, 74, 'is not what was copied there');
    await expect(s3.names(prefix)).resolves.toEqual([]);
    await expect(warren.recorded()).resolves.toBeUndefined();
    await expect(warren.backups()).resolves.toContain(OLD);
    await expect(warren.backups()).resolves.toHaveLength(3);
  });

  it.each([
    [{ WARREN_BACKUP_S3_SECRET_ACCESS_KEY: 'wrong' }, 74, 'could not be copied to warren:warren-backups/'],
    [{ WARREN_BACKUP_S3_BUCKET: 'no-such-bucket' }, 74, 'could not be copied to warren:no-such-bucket/'],
    [{ WARREN_BACKUP_S3_ENDPOINT: 'http://127.0.0.1:1' }, 74, 'could not be copied'],
    [{ WARREN_BACKUP_S3_ENDPOINT: 's3.example.com' }, 78, 'WARREN_BACKUP_S3_ENDPOINT is "s3.example.com": expected'],
    [{ WARREN_BACKUP_S3_BUCKET: 'Not_a bucket' }, 78, 'WARREN_BACKUP_S3_BUCKET is "Not_a bucket": expected'],
    [{ WARREN_BACKUP_S3_DELETE: 'never' }, 78, 'WARREN_BACKUP_S3_DELETE is "never": expected true or false'],
  ])('says what is wrong with %j, and keeps the dump here', async (wrong, code, words) => {
    await fails(wrong, code, words);
    await expect(warren.backups()).resolves.toHaveLength(code === 74 ? 2 : 0);
  });
});
