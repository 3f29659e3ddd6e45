import { inBatches, OnlineMigration } from '@warren/platform/database/online';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Facts that no list sorts or searches by, as one value. 0.1.0 doesn't write it, which `facts_at` shows: it differs from `reported` then. */
export class AddFacts1796072400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE device_facts ADD COLUMN facts jsonb, ADD COLUMN facts_at timestamptz');
    // Room for the next version of each row, so that no report touches the index.
    await runner.query('ALTER TABLE device_facts SET (fillfactor = 50)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE device_facts SET (fillfactor = 70)');
    await runner.query('ALTER TABLE device_facts DROP COLUMN facts, DROP COLUMN facts_at');
  }
}

// Holds the devices as a report does, so that the two columns of a device that reports meanwhile are of the same report.
const FILL = `
  UPDATE device_facts f SET facts_at = f.reported, facts = jsonb_strip_nulls(jsonb_build_object(
    'cpu_cores', d.cpu_cores, 'cpu_usage', f.cpu_usage, 'total_ram', d.total_ram, 'used_ram', f.used_ram,
    'total_disk', d.total_disk, 'used_disk', f.used_disk, 'os', d.os, 'kernel', d.kernel, 'arch', d.arch, 'model', d.model,
    'uptime_seconds', f.uptime_seconds, 'temperature', f.temperature, 'throttled', f.throttled))
  FROM (SELECT * FROM devices WHERE id BETWEEN $1 AND $2 ORDER BY id FOR NO KEY UPDATE) d
  WHERE f.device_id = d.id AND f.facts_at IS DISTINCT FROM f.reported`;

/** Fills it from the former columns. */
export class FillFacts1796072460000 extends OnlineMigration {
  async up(runner: QueryRunner): Promise<void> {
    await inBatches(runner, { table: 'device_facts', by: 'device_id', size: 1_000 }, FILL);
  }

  async down(): Promise<void> {}
}
