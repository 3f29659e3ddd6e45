import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { execFileSync } from 'node:child_process';
import { chmod, chown, copyFile, mkdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Installation } from './installation.ts';

/** Random text, which hardly shrinks, so that data fills most of a dump. */
const BULK = `CREATE TABLE tenancy.bulk AS SELECT i, md5(random()::text) || md5(random()::text) AS text FROM generate_series(1, 20000) i;
  ALTER TABLE tenancy.bulk OWNER TO warren_tenancy`;

/** Calls that change nothing: killed before one of them, the script leaves what it leaves before the next. */
const READS = /pg_isready|--list|--file=\/dev\/null|=select (1|datname)|ps --quiet/;

/** Of the steps at which a restore may be killed, each one in `make soak`, else one in twenty: two restores take their time. */
const EVERY = process.env['WARREN_SOAK'] === '1' ? 1 : 20;

describe('restore.sh, when something goes wrong,', () => {
  let warren: Installation;
  /** A dump with its checksum, and the same with none. */
  let good: string;
  let bare: string;

  beforeAll(async () => {
    warren = await Installation.start();
    await warren.sql(BULK);
    await warren.insert('in the dump');
    good = await warren.script('backup.sh', [join(warren.folder, 'good.dump')]);
    bare = join(warren.folder, 'bare.dump');
    await warren.insert('of now');
  });
  afterAll(() => warren?.stop());
  beforeEach(() => copyFile(good, bare));

  const NOW = ['in the dump', 'of now'];
  const called = () => readFile(join(warren.folder, 'calls'), 'utf8');
  /** A restore that is refused, and has touched nothing. */
  async function expectRefused(file: string, words: string): Promise<void> {
    await expect(warren.script('restore.sh', [file])).rejects.toMatchObject({
      stderr: expect.stringContaining(words) as unknown,
    });
    await expect(warren.actors()).resolves.toEqual(NOW);
    await expect(warren.databases()).resolves.toEqual(['warren']);
    expect(await called()).not.toContain('stop');
  }

  it.each([1, 25, 75, 90, 99])('refuses a dump of which %d %% are there', async (percent) => {
    await truncate(bare, Math.floor(((await stat(bare)).size * percent) / 100));
    await expectRefused(bare, percent === 1 ? 'is no dump of PostgreSQL' : "can't be read to its end");
    await copyFile(`${good}.sha256`, `${bare}.sha256`);
    await expectRefused(bare, 'it was cut short');
    await rm(`${bare}.sha256`);
  });

  it('refuses a dump in which one byte is another', async () => {
    const bytes = await readFile(bare);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    await writeFile(bare, bytes);
    await copyFile(`${good}.sha256`, `${bare}.sha256`);
    await expectRefused(bare, 'it was damaged or changed');
    await rm(`${bare}.sha256`);
  });

  it('refuses a dump of another database', async () => {
    await writeFile(bare, pgDump('postgres'));
    await expectRefused(bare, 'is no dump of Warren: it has no schema identity');
    await writeFile(bare, 'text');
    await expectRefused(bare, 'is no dump of PostgreSQL');
    await expectRefused(join(warren.folder, 'missing'), 'there is no such file');
  });

  (process.getuid?.() === 0 ? it : it.skip)('keeps the database when the disk is full', async () => {
    const disk = join(warren.folder, 'disk');
    await chmod(warren.folder, 0o755);
    await mkdir(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=0777', 'tmpfs', disk]);
    try {
      await mkdir(join(disk, 'space'));
      await chown(join(disk, 'space'), await serverUser(), -1);
      await warren.sql(`CREATE TABLESPACE small LOCATION '${disk}/space'`);
      await warren.sql('ALTER SYSTEM SET default_tablespace = small');
      await warren.sql('SELECT pg_reload_conf()');
      await expectRefused(bare, 'The database is as it was');
    } finally {
      await warren.sql('ALTER SYSTEM RESET default_tablespace');
      await warren.sql('SELECT pg_reload_conf()');
      await warren.sql('DROP TABLESPACE IF EXISTS small');
      execFileSync('umount', [disk]);
    }
  });

  it('keeps the database until the services are healthy, and takes it back', async () => {
    await expect(
      warren.script('restore.sh', [good], { HEALTH: 'unhealthy', HEALTH_SECONDS: '1' }),
    ).rejects.toMatchObject({ code: 69, stderr: expect.stringContaining('--undo') as unknown });
    await expect(warren.actors()).resolves.toEqual(['in the dump']);
    await warren.script('restore.sh', ['--undo']);
    await expect(warren.actors()).resolves.toEqual(NOW);
    await expect(warren.databases()).resolves.toEqual(['warren']);
    await expect(warren.script('restore.sh', ['--undo'])).rejects.toMatchObject({ code: 66 });
  });

  it('loses nothing when it is killed at any step, and ends well when it runs again', async () => {
    const now = await warren.script('backup.sh', [join(warren.folder, 'now.dump')]);
    await warren.script('restore.sh', [good]);
    const calls = (await called()).trim().split('\n');
    const steps = calls.flatMap((call, index) => (READS.test(call) ? [] : [index + 1]));
    expect(steps.length).toBeGreaterThan(15);
    const tried = steps.filter((_, index) => index % EVERY === EVERY - 1);
    await warren.script('restore.sh', [now]);
    for (const step of tried) {
      const killed = () => warren.script('restore.sh', [good], { KILL_AT: String(step) });
      await until(() => killed().catch(({ signal }: { signal?: string }) => signal === 'SIGKILL'));
      const found = await warren.actors();
      expect([NOW, ['in the dump']]).toContainEqual(found);
      await expect(warren.sql('SELECT count(*)::int FROM tenancy.bulk')).resolves.toEqual([{ count: 20_000 }]);
    }
    // Programs that the killed script had started hold its lock until they end.
    await until(() => warren.script('restore.sh', [now]));
    await expect(warren.actors()).resolves.toEqual(NOW);
    await expect(warren.databases()).resolves.toEqual(['warren']);
  }, 600_000);

  function pgDump(database: string): Buffer {
    const url = new URL(warren.server.url);
    const env = { PGPASSWORD: url.password, PATH: process.env['PATH'] };
    return execFileSync(
      'pg_dump',
      ['--format=custom', `--host=${url.hostname}`, `--port=${url.port}`, `--username=${url.username}`, database],
      { env },
    );
  }

  /** The user that PostgreSQL runs as, which is never root. */
  async function serverUser(): Promise<number> {
    const [row] = (await warren.sql("SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'")) as {
      pid: number;
    }[];
    const status = await readFile(`/proc/${row?.pid}/status`, 'utf8');
    return Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]);
  }
});
