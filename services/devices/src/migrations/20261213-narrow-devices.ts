import { inBatches, OnlineMigration } from '@warren/platform/database/online';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What identifies a kind. */
const KIND = ['os', 'kernel', 'arch', 'model', 'agent_version'];

/** Columns of `narrow_devices` that `devices d` fills, and how. */
const OF_DEVICE: Record<string, string> = {
  account_id: 'd.account_id',
  status_since: 'd.status_since',
  created: 'd.created',
  kind: 'k.id',
  connected: 'd.connected',
  ever_connected: 'd.connected OR d.connection_epoch <> 0',
  console: 'd.ssh_enabled',
  web: 'd.http_enabled',
  cores: 'NULLIF(d.cpu_cores, 0)',
  ram: 'NULLIF(d.total_ram, 0)',
  disk_size: 'NULLIF(d.total_disk, 0)',
  sort_name: 'd.sort_name',
  called: `lower(CASE WHEN d.custom_name = '' THEN d.name ELSE d.custom_name END)`,
};

/** What a replica of 0.1.0 does not write: unknown where it has written last. */
const compared = (name: string) => `CASE WHEN f.facts_at = f.reported THEN f.${name} END`;

/** Those that `device_facts f` fills. The disk is the fullest, or `/` where the agent tells of no other. */
const usage = (ram: string, disk: string): Record<string, string> => ({
  cpu: 'f.cpu_usage',
  memory: `100 * f.used_ram::float8 / ${ram}`,
  disk: `COALESCE(${compared('fullest_disk_usage')}, 100 * f.used_disk::float8 / ${disk})`,
  load: compared('load'),
  clock_offset: compared('clock_offset'),
  temperature: 'f.temperature',
  uptime: 'f.uptime_seconds',
  reported: 'f.reported',
  throttled: 'f.throttled & 15 <> 0',
});

const ALL = { ...OF_DEVICE, ...usage('NULLIF(d.total_ram, 0)', 'NULLIF(d.total_disk, 0)') };
const NAMES = Object.keys(ALL);
const USAGE = usage('n.ram', 'n.disk_size');

const columns = (alias: string, names: readonly string[]) => names.map((name) => `${alias}.${name}`).join();
/** Columns of `devices` that are read here. */
const READ = [
  'account_id',
  'status_since',
  'created',
  'connected',
  'connection_epoch',
  'ssh_enabled',
  'http_enabled',
].concat(KIND, ['cpu_cores', 'total_ram', 'total_disk', 'sort_name', 'name', 'custom_name']);

/** Planning these statements takes longer than running them. */
const PLANNED_ONCE = 'SET plan_cache_mode = force_generic_plan';
/** Looks each device up, also by a plan that was made while the tables were small. */
const LOOKING_UP = `${PLANNED_ONCE} SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off`;

const UP = [
  `CREATE TABLE device_kinds (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    ${KIND.map((name) => `${name} text NOT NULL`).join()},
    CONSTRAINT device_kinds_once UNIQUE (${KIND.join()})
  )`,
  // Of fixed width up to the names: filters read every row. No index has what reports change, so those updates are HOT.
  `CREATE TABLE narrow_devices (
    id uuid PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
    account_id uuid NOT NULL,
    status_since timestamptz NOT NULL,
    created timestamptz NOT NULL,
    kind integer NOT NULL REFERENCES device_kinds,
    connected boolean NOT NULL,
    ever_connected boolean NOT NULL,
    console boolean NOT NULL,
    web boolean NOT NULL,
    cpu double precision,
    memory double precision,
    disk double precision,
    load double precision,
    reported timestamptz,
    uptime bigint,
    ram bigint,
    disk_size bigint,
    cores integer,
    temperature integer,
    clock_offset integer,
    throttled boolean,
    sort_name text COLLATE "C" NOT NULL,
    called text COLLATE "C" NOT NULL
  ) WITH (fillfactor = 80)`,
  'CREATE INDEX narrow_devices_of_account ON narrow_devices (account_id, kind)',
  'CREATE INDEX narrow_devices_of_kind ON narrow_devices (kind)',
  'CREATE INDEX narrow_devices_by_last_seen ON narrow_devices (connected, status_since)',

  // Values belong to keys: without it the planner takes few devices for those with a label.
  'CREATE STATISTICS device_labels_of_key (mcv) ON key, value FROM device_labels',

  // The shared lock keeps unused kinds from being deleted while one is chosen.
  `CREATE FUNCTION narrow_devices(ids uuid[]) RETURNS void LANGUAGE plpgsql ${LOOKING_UP} AS $$ BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtext('device_kinds'));
    INSERT INTO device_kinds (${KIND.join()})
      SELECT DISTINCT ${columns('d', KIND)} FROM unnest(ids) AS w (id) JOIN devices d ON d.id = w.id
      WHERE NOT EXISTS (SELECT FROM device_kinds k WHERE (${columns('k', KIND)}) = (${columns('d', KIND)}))
      ORDER BY ${KIND.map((_, at) => at + 1).join()} ON CONFLICT DO NOTHING;
    INSERT INTO narrow_devices AS n (id, ${NAMES.join()})
      SELECT d.id, ${Object.values(ALL).join()}
      FROM unnest(ids) AS w (id) JOIN devices d ON d.id = w.id JOIN device_kinds k ON (${columns('k', KIND)}) = (${columns('d', KIND)})
        LEFT JOIN device_facts f ON f.device_id = d.id
    ON CONFLICT (id) DO UPDATE SET (${NAMES.join()}) = ROW (${columns('excluded', NAMES)});
  END $$`,
  `CREATE FUNCTION narrow_inserted() RETURNS trigger LANGUAGE plpgsql ${PLANNED_ONCE} AS $$ BEGIN
    PERFORM narrow_devices(array_agg(id)) FROM changed HAVING count(*) > 0;
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION narrow_updated() RETURNS trigger LANGUAGE plpgsql ${PLANNED_ONCE} AS $$ BEGIN
    PERFORM narrow_devices(array_agg(c.id)) FROM changed c JOIN former o ON o.id = c.id
      WHERE (${columns('c', READ)}) IS DISTINCT FROM (${columns('o', READ)}) HAVING count(*) > 0;
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION narrow_usage() RETURNS trigger LANGUAGE plpgsql ${LOOKING_UP} AS $$ BEGIN
    UPDATE narrow_devices n SET (${Object.keys(USAGE).join()}) = ROW (${Object.values(USAGE).join()})
      FROM changed f WHERE n.id = f.device_id;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER narrow_inserted AFTER INSERT ON devices
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION narrow_inserted()`,
  `CREATE TRIGGER narrow_updated AFTER UPDATE ON devices
    REFERENCING NEW TABLE AS changed OLD TABLE AS former FOR EACH STATEMENT EXECUTE FUNCTION narrow_updated()`,
  `CREATE TRIGGER narrow_inserted AFTER INSERT ON device_facts
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION narrow_usage()`,
  `CREATE TRIGGER narrow_updated AFTER UPDATE ON device_facts
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION narrow_usage()`,
];

const DOWN = [
  ...['devices', 'device_facts'].flatMap((table) => [
    `DROP TRIGGER narrow_inserted ON ${table}`,
    `DROP TRIGGER narrow_updated ON ${table}`,
  ]),
  ...['narrow_usage()', 'narrow_updated()', 'narrow_inserted()', 'narrow_devices(uuid[])'].map(
    (name) => `DROP FUNCTION ${name}`,
  ),
  'DROP STATISTICS device_labels_of_key',
  'DROP TABLE narrow_devices',
  'DROP TABLE device_kinds',
];

/**
 * Adds a narrow row for each device with what filters and orders read. Triggers keep it: the last release writes devices and facts too
 * during an upgrade. Who changes a device or its facts has locked its row of `devices`.
 */
export class NarrowDevices1797195600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

/** Adds the rows of devices that are there already. */
export class FillNarrowDevices1797195660000 extends OnlineMigration {
  async up(runner: QueryRunner): Promise<void> {
    await inBatches(
      runner,
      { table: 'devices', size: 1_000 },
      `SELECT narrow_devices(array_agg(d.id))
       FROM (SELECT id FROM devices WHERE id BETWEEN $1 AND $2 ORDER BY id FOR NO KEY UPDATE) d`,
    );
    await runner.query('ANALYZE device_kinds, narrow_devices, device_labels');
  }

  async down(): Promise<void> {}
}
