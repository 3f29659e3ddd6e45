import { createIndex, OnlineMigration } from '@warren/platform/database/online';
import type { QueryRunner } from 'typeorm';

/** The orders of lists, each with what settles the order of devices that are alike. */
const ORDERS: Record<string, string> = {
  devices_by_model: `lower(model COLLATE "C")`,
  devices_by_os: `lower(os COLLATE "C")`,
  devices_by_agent: `natural_key(agent_version) COLLATE "C"`,
  devices_by_address: `natural_key(private_ip) COLLATE "C"`,
  devices_by_last_seen: 'connected DESC, status_since DESC',
  devices_by_created: 'created',
};

/** Adds the orders of the columns that devices tell rarely: usage changes with every report, and an index would make each dearer. */
export class SortDevices1796245200000 extends OnlineMigration {
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, order] of Object.entries(ORDERS))
      await createIndex(runner, name, `ON devices (${order}, sort_name, id)`);
    // Of expressions there are no statistics before.
    await runner.query('ANALYZE devices');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(ORDERS)) await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }
}
