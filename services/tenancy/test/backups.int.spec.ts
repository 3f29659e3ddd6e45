import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import type { TestDatabase } from '@warren/infra/test-database';
import { registry } from '@warren/platform/telemetry/metrics';
import { DataSource } from 'typeorm';
import { startTenancy, tenancyDatabase } from './tenancy.process.ts';

describe('the age of the last backup', () => {
  let database: TestDatabase;
  let nats: Awaited<ReturnType<typeof startNats>>;
  let app: INestApplicationContext | undefined;

  beforeAll(async () => {
    [database, nats] = await Promise.all([tenancyDatabase(), startNats()]);
  });
  afterEach(() => app?.close());
  afterAll(async () => {
    await nats?.stop();
    await database?.drop();
  });

  const start = async (hours: string) => {
    app = await startTenancy(database.url, nats.url, { BACKUP_MAX_AGE_HOURS: hours });
    await app.init();
    return app.get(DataSource);
  };
  /** What is scraped, by metric. */
  async function measured(): Promise<Record<string, number>> {
    const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('warren_backup'));
    return Object.fromEntries(lines.map((line) => [line.split(/[{ ]/)[0], Number(line.split(' ').at(-1))]));
  }

  it('is not measured while backups are made elsewhere', async () => {
    await start('0');
    expect(await measured()).toEqual({});
  });

  it('counts from the first day of the installation as long as there is none', async () => {
    const source = await start('50');
    const [row] = await source.query<{ since: Date }[]>('SELECT since FROM backups');
    expect(await measured()).toEqual({
      warren_backup_last_success_timestamp_seconds: 0,
      warren_backup_due_timestamp_seconds: expect.closeTo(Number(row?.since) / 1000 + 50 * 3600, 1),
    });
    await source.query(`UPDATE backups SET succeeded_at = '2026-01-02 03:04:05+00'`);
  });

  it('counts from the last one, in whole hours', async () => {
    await start('26');
    const last = Date.UTC(2026, 0, 2, 3, 4, 5) / 1000;
    expect(await measured()).toEqual({
      warren_backup_last_success_timestamp_seconds: last,
      warren_backup_due_timestamp_seconds: last + 26 * 3600,
    });
  });
});
