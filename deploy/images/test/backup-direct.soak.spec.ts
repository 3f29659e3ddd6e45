import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Installation } from './installation.ts';

const images = resolve(import.meta.dirname, '..');
/** As docs/operations/upgrade-and-back-up.md has it. */
const ROLE = `CREATE ROLE warren_backup LOGIN PASSWORD 'of-tests-alone'`;
const GRANTS = `
  GRANT CONNECT ON DATABASE warren TO warren_backup;
  GRANT pg_read_all_data TO warren_backup;
  GRANT UPDATE ON tenancy.backups TO warren_backup`;

describe('backup.sh as the image has it', () => {
  let warren: Installation;
  let folder: string;
  const asRole = { PGUSER: 'warren_backup', PGPASSWORD: 'of-tests-alone', PGDATABASE: 'warren' };

  beforeAll(async () => {
    warren = await Installation.start();
    folder = join(warren.folder, 'image');
    await mkdir(join(folder, 'backups'), { recursive: true });
    for (const [, files = '', as = ''] of (await dockerfile()).matchAll(/^COPY (.+) (\S+)$/gm)) {
      for (const name of files.split(' ')) await copyFile(await sourceOf(name), join(folder, as === './' ? name : as));
    }
  });
  afterAll(() => warren?.stop());

  it('dumps as a role that may only read, and restore.sh takes what it wrote', async () => {
    await warren.sql(ROLE);
    await warren.sql(GRANTS);
    await warren.insert('in the dump');
    const file = await warren.script('image/backup.sh', [], asRole);
    await expect(readdir(join(folder, 'backups'))).resolves.toHaveLength(2 + 1);
    await expect(warren.recorded()).resolves.toBeInstanceOf(Date);
    await warren.insert('after the backup');
    await warren.script('restore.sh', [file]);
    await expect(warren.actors()).resolves.toEqual(['in the dump']);
  });

  it('writes what the commands of docs/operations/restore.md bring back', async () => {
    const text = await readFile(resolve(images, '../../docs/operations/restore.md'), 'utf8');
    const [, commands = ''] = /```sh\n(\s+set -e\n.*?restore_schema.*?)```/s.exec(text) ?? [];
    expect(commands).toContain('age --decrypt');
    // The restore before brought none.
    await warren.sql(GRANTS);
    const identity = join(warren.folder, 'key.txt');
    execFileSync('age-keygen', ['-o', identity], { stdio: 'ignore' });
    const recipient = execFileSync('age-keygen', ['-y', identity], { encoding: 'utf8' }).trim();
    const file = await warren.script('image/backup.sh', [], { ...asRole, WARREN_BACKUP_RECIPIENT: recipient });
    await copyFile(file, join(warren.folder, 'warren.dump.age'));
    await warren.insert('after the backup');
    await writeFile(join(warren.folder, 'commands.sh'), `cd "$(dirname "$0")"\n${commands}`);
    await warren.script('commands.sh', [], { PGUSER: 'postgres', PGDATABASE: 'warren' });
    await warren.migrate();
    await expect(warren.actors()).resolves.toEqual(['in the dump']);
    await warren.insert('after the restore');
    await expect(warren.asIdentity('DELETE FROM audit.audit')).rejects.toThrow('permission denied');
  });

  it('says which variable is missing', async () => {
    await expect(warren.script('image/backup.sh', [], { ...asRole, PGUSER: '' })).rejects.toMatchObject({
      code: 78,
      stderr: expect.stringContaining('PGUSER is not set') as unknown,
    });
  });
});

const dockerfile = () => readFile(join(images, 'backup/Dockerfile'), 'utf8');

/** Where `make backup-image` takes a file from. */
async function sourceOf(name: string): Promise<string> {
  const own = await readdir(join(images, 'backup'));
  return join(images, own.includes(name) ? 'backup' : '../compose', name);
}
