import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { findProgram } from '@warren/infra/programs';
import { until } from '@warren/infra/until';
import { Installation } from './installation.ts';

const BULK = `CREATE TABLE tenancy.bulk AS SELECT i, md5(random()::text) AS text FROM generate_series(1, 20000) i;
  ALTER TABLE tenancy.bulk OWNER TO warren_tenancy`;
const DAY = 86_400_000;

/** The name of a backup of so many days ago. */
function nameOf(days: number): string {
  const time = new Date(Date.now() - days * DAY).toISOString().replace(/[-:]|\.\d+/g, '');
  return `warren-${time}.dump`;
}

describe('backup.sh', () => {
  let warren: Installation;
  let backups: string;
  let identity: string;
  let recipient: string;

  beforeAll(async () => {
    warren = await Installation.start();
    await warren.sql(BULK);
    await warren.insert('in the dump');
    identity = join(warren.folder, 'key.txt');
    execFileSync('age-keygen', ['-o', identity], { stdio: 'ignore' });
    recipient = execFileSync('age-keygen', ['-y', identity], { encoding: 'utf8' }).trim();
  });
  afterAll(() => warren?.stop());
  beforeEach(async () => {
    backups = join(warren.folder, 'backups');
    await rm(backups, { recursive: true });
    await mkdir(backups);
  });

  /** Puts a backup of so many days ago there, with its checksum unless it is a rest. */
  async function plant(days: number, whole = true, suffix = ''): Promise<string> {
    const name = `${nameOf(days)}${suffix}`;
    await writeFile(join(backups, name), 'old');
    if (whole) await writeFile(join(backups, `${name}.sha256`), 'old');
    return name;
  }
  const withSums = (...names: string[]) => names.flatMap((name) => [name, `${name}.sha256`]);
  const fails = (settings: NodeJS.ProcessEnv, code: number, words: string) =>
    expect(warren.script('backup.sh', [], settings)).rejects.toMatchObject({
      code,
      stderr: expect.stringContaining(words) as unknown,
    });

  it('deletes what is older than 14 days and not among the last three, and nothing else', async () => {
    const gone = [await plant(30), await plant(25, true, '.age'), await plant(20, false)];
    // The last three are the new one and two of these; the third is young enough.
    const young = [await plant(1), await plant(5), await plant(13)];
    const foreign = [
      'notes.txt',
      'warren-before-upgrade.dump',
      'warren-20200101T000000Z.dump.bak',
      'my-warren-20200101T000000Z.dump',
    ];
    for (const name of foreign) await writeFile(join(backups, name), 'kept');
    const made = await warren.script('backup.sh');
    const kept = [...foreign, ...withSums(...young, made.slice(backups.length + 1))].sort();
    await expect(warren.backups()).resolves.toEqual(kept);
    for (const name of gone) expect(kept).not.toContain(name);
  });

  it('keeps as many as WARREN_BACKUP_KEEP_LAST says, by .env, however old they are', async () => {
    const names = [await plant(400), await plant(300), await plant(200), await plant(1)];
    await writeFile(join(warren.folder, '.env'), 'WARREN_BACKUP_KEEP_DAYS=0\nWARREN_BACKUP_KEEP_LAST="3"\n');
    const made = await warren.script('backup.sh');
    await writeFile(join(warren.folder, '.env'), '');
    const left = withSums(...names.slice(2), made.slice(backups.length + 1)).sort();
    await expect(warren.backups()).resolves.toEqual(left);
  });

  it('records that it succeeded, and works on a database that has no place for that yet', async () => {
    await warren.sql('UPDATE tenancy.backups SET succeeded_at = NULL');
    await fails({ PGPORT: '1' }, 74, 'could not be dumped');
    await expect(warren.recorded()).resolves.toBeUndefined();
    const before = Date.now();
    await warren.script('backup.sh');
    expect(Number(await warren.recorded())).toBeGreaterThanOrEqual(before);
    await warren.sql('ALTER TABLE tenancy.backups RENAME TO another');
    await warren.script('backup.sh');
    await warren.sql('ALTER TABLE tenancy.another RENAME TO backups');
  });

  it('deletes nothing when there is no new dump', async () => {
    const names = withSums(await plant(30), await plant(40), await plant(50), await plant(60));
    await fails({ PGPORT: '1' }, 74, 'could not be dumped');
    await expect(warren.backups()).resolves.toEqual(names.sort());
  });

  it.each([
    [{ WARREN_BACKUP_KEEP_DAYS: 'two' }, 'WARREN_BACKUP_KEEP_DAYS is "two": expected a whole number of days'],
    [{ WARREN_BACKUP_KEEP_LAST: '0' }, 'WARREN_BACKUP_KEEP_LAST is "0": expected a whole number of backups, 1 or more'],
    [{ WARREN_BACKUP_RECIPIENT: 'age1wrong' }, 'WARREN_BACKUP_RECIPIENT is "age1wrong": age refuses it'],
    [{ WARREN_BACKUP_RECIPIENT: '/missing' }, 'WARREN_BACKUP_RECIPIENT is "/missing": expected age1'],
    [{ WARREN_BACKUP_RECIPIENT: 'AGE-SECRET-KEY-1X' }, 'WARREN_BACKUP_RECIPIENT is a secret key'],
    [{ WARREN_BACKUP_S3_PREFIX: 'x' }, 'missing are: WARREN_BACKUP_S3_ENDPOINT WARREN_BACKUP_S3_BUCKET'],
    [
      {
        WARREN_BACKUP_S3_ENDPOINT: 'https://s3.example.com',
        WARREN_BACKUP_S3_BUCKET: 'backups',
        WARREN_BACKUP_S3_ACCESS_KEY_ID: 'a',
      },
      'missing are: WARREN_BACKUP_S3_SECRET_ACCESS_KEY',
    ],
  ])('refuses %j before anything is dumped', async (settings, words) => {
    await fails(settings, 78, words);
    await expect(warren.backups()).resolves.toEqual([]);
    await expect(readFile(join(warren.folder, 'calls'), 'utf8')).resolves.toBe('');
  });

  it('says which program is missing, and which package brings it', async () => {
    const programs = join(warren.folder, 'few');
    await mkdir(programs);
    for (const name of ['sh', 'dirname', 'sed', 'tail', 'grep', 'head', 'wc'])
      await symlink(findProgram(name) ?? '', join(programs, name));
    await fails({ PATH: programs, WARREN_BACKUP_RECIPIENT: recipient }, 69, 'Debian and Ubuntu: apt-get install age');
  });

  it('stores nothing that is readable without the key, and restores it with the key', async () => {
    const file = await warren.script('backup.sh', [], { WARREN_BACKUP_RECIPIENT: recipient });
    expect(file).toMatch(/\.dump\.age$/);
    await expect(warren.plainDumps()).resolves.toEqual([]);
    expect((await readFile(file, 'latin1')).startsWith('age-encryption.org/v1')).toBe(true);
    await warren.insert('after the backup');
    await warren.script('restore.sh', [file, '--identity', identity]);
    await expect(warren.actors()).resolves.toEqual(['in the dump']);
    await expect(warren.plainDumps()).resolves.toEqual([]);
  });

  it('takes a file of recipients, and refuses to restore without the right key', async () => {
    const recipients = join(warren.folder, 'recipients');
    await writeFile(recipients, `# the safe\n${recipient}\n`);
    const file = await warren.script('backup.sh', [], { WARREN_BACKUP_RECIPIENT: recipients });
    const refused = (args: string[], words: string) =>
      expect(warren.script('restore.sh', args)).rejects.toMatchObject({
        code: 65,
        stderr: expect.stringContaining(words) as unknown,
      });
    await refused([file], 'is encrypted: name the file with its secret key by --identity');
    const other = join(warren.folder, 'other.txt');
    execFileSync('age-keygen', ['-o', other], { stdio: 'ignore' });
    await refused([file, '--identity', other], "can't be decrypted with");
    await truncate(file, 4000);
    await refused([file, '--identity', identity], 'it was cut short');
    await rm(`${file}.sha256`);
    await refused([file, '--identity', identity], "can't be decrypted with");
    await expect(warren.databases()).resolves.toEqual(['warren']);
  });

  it.each(['tee', 'age', 'pg_dump', 'pg_restore', 'sync', 'sha256sum', 'mv', 'find'])(
    'leaves nothing readable when it is killed at %s, and tidies up when it runs again',
    async (program) => {
      const killers = join(warren.folder, `kill-${program}`);
      await mkdir(killers);
      const kept = await plant(30);
      // age is asked first whether it takes the recipient.
      const count =
        program === 'age'
          ? `[ -e ${killers}/asked ] || { : >${killers}/asked; exec ${findProgram(program)} "$@"; }`
          : '';
      await writeFile(
        join(killers, program),
        `#!/bin/sh\n${count}\nkill -9 $SCRIPT\nexec ${findProgram(program)} "$@"\n`,
      );
      await chmod(join(killers, program), 0o755);
      const path = [killers, warren.path].join(delimiter);
      const settings = { WARREN_BACKUP_RECIPIENT: recipient, TMPDIR: warren.folder };
      await expect(warren.script('backup.sh', [], { ...settings, PATH: path })).rejects.toMatchObject({
        signal: 'SIGKILL',
      });
      await expect(warren.plainDumps()).resolves.toEqual([]);
      expect(await warren.backups()).toEqual(expect.arrayContaining(withSums(kept)));
      // Programs that the killed script had started hold its lock until they end.
      await until(() => warren.script('backup.sh', [], settings));
      await expect(warren.plainDumps()).resolves.toEqual([]);
      expect((await warren.backups()).filter((name) => name.endsWith('.part'))).toEqual([]);
    },
  );
});
