import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { Archived } from './archived.ts';

const NOW = `SELECT to_char(clock_timestamp() AT TIME ZONE 'utc', 'YYYY-MM-DD HH24:MI:SS.US') || '+00' AS now`;

/** Writes rows one after the other until it is stopped. */
class Writer {
  /** The numbers that are committed. */
  written = 0;
  private stopped = false;
  private readonly work: Promise<void>;

  constructor(private readonly archived: Archived) {
    this.work = this.write();
  }

  private async write(): Promise<void> {
    while (!this.stopped) {
      await this.archived.sql(`INSERT INTO ticks VALUES (${this.written + 1})`);
      this.written += 1;
    }
  }

  /** Waits until so many more rows are committed. */
  more(count: number): Promise<void> {
    const goal = this.written + count;
    return until(() => this.written >= goal);
  }

  stop(): Promise<void> {
    this.stopped = true;
    return this.work;
  }
}

describe('point-in-time recovery with pitr.sh', () => {
  let archived: Archived;

  beforeAll(async () => {
    archived = await Archived.start();
    await until(() => archived.sql('SELECT 1', 'postgres'));
    await archived.sql('CREATE DATABASE warren', 'postgres');
    await archived.sql('CREATE TABLE ticks (n integer PRIMARY KEY)');
  });
  afterAll(() => archived?.stop());

  /** Makes a base backup. pgBackRest counts whole seconds, so a moment of the same second is none after it. */
  async function backUp(type: string): Promise<void> {
    await archived.pitr('backup', type);
    const [{ next } = {}] = await archived.sql(`SELECT (date_trunc('second', clock_timestamp()) + '1s')::text AS next`);
    await until(async () => {
      const [row] = await archived.sql(`SELECT clock_timestamp() > '${String(next)}' AS passed`);
      return row?.['passed'];
    });
  }

  it('brings the database back as it was at a moment after the backup, though all its data is lost', async () => {
    const writer = new Writer(archived);
    await writer.more(20);
    await backUp('diff');
    await writer.more(20);
    const before = writer.written;
    const [{ now } = {}] = await archived.sql(NOW);
    // The row that was being written may be on either side.
    const after = writer.written + 2;
    await writer.more(20);
    await writer.stop();
    await archived.sql('DELETE FROM ticks');
    const [{ wal } = {}] = await archived.sql('SELECT pg_walfile_name(pg_switch_wal()) AS wal');
    await until(async () => {
      const [row] = await archived.sql('SELECT last_archived_wal AS last FROM pg_stat_archiver');
      return String(row?.['last']) >= String(wal);
    });
    await archived.destroy();

    await archived.pitr('restore', String(now));
    const rows = await archived.sql('SELECT n FROM ticks ORDER BY n');
    const numbers = rows.map(({ n }) => Number(n));
    expect(numbers.slice(0, before)).toEqual(Array.from({ length: before }, (_, index) => index + 1));
    expect(numbers.length).toBeLessThan(after);
    // It takes writes, and archives them.
    await archived.sql(`INSERT INTO ticks VALUES (1000000)`);
    await backUp('full');
    expect(await archived.pitr('info')).toContain('full backup');
  }, 180_000);

  it('says why it can not restore, and comes back with another moment', async () => {
    const rejected = (moment: string, code: number, words: string) =>
      expect(archived.pitr('restore', moment)).rejects.toMatchObject({
        code,
        stderr: expect.stringContaining(words) as unknown,
      });
    await rejected('yesterday', 64, 'The moment is "yesterday": expected date, time and zone');
    await rejected('2026-01-02 03:04:05', 64, 'expected date, time and zone');
    const [{ now } = {}] = await archived.sql(NOW);
    await archived.sql('INSERT INTO ticks VALUES (2000000)');
    await rejected('2020-01-02 03:04:05+00', 69, 'Run this again, with another moment');
    await archived.pitr('restore', String(now));
    const rows = await archived.sql('SELECT n FROM ticks WHERE n >= 1000000');
    expect(rows).toEqual([{ n: 1_000_000 }]);
  }, 180_000);
});
