import pg from 'pg';
import { pick, scaleAccountOf, scaleId } from './data-set.ts';
import { FIRST_NAMES, LAST_NAMES } from './tenancy.ts';

/** Full months before the present one, as many as a hub keeps by default. */
export const TRAIL = { months: 24, events: 10_000_000 } as const;
const EACH = Math.ceil(TRAIL.events / TRAIL.months);
/** Objects of an account that its events are about. */
const [PEOPLE, DEVICES] = [50, 100];

/** Words that a few events have as their reason. */
export const RARE = { words: 'zephyr drill', every: 2_000_003 } as const;

const account = scaleAccountOf('n');
const person = `a * ${PEOPLE} + (r / 7) % ${PEOPLE}`;
const device = `a * ${DEVICES} + (r / 350) % ${DEVICES}`;
const [FIRST, LAST] = [pick(FIRST_NAMES, 'u'), pick(LAST_NAMES, 'u / 20')];
/** One event in 1,000 is refused, and one in 100,000 deletes an account. */
const ACTION = `CASE WHEN r % 100000 = 1 THEN 'account.delete' WHEN r % 10 < 3 THEN 'session.start' WHEN r % 10 < 6 THEN 'session.end'
  WHEN r % 10 = 6 THEN 'device.rename' WHEN r % 10 = 7 THEN 'session.sign_in' WHEN r % 10 = 8 THEN 'device.label' ELSE 'group.change_member' END`;

/** Rows of numbers $1 to $2, spread evenly from the time $3 over $4 milliseconds. Columns have what the audit service derives. */
const ROWS = `
  SELECT (lpad(to_hex(at), 12, '0') || '7' || substr(h, 1, 3) || '8' || substr(h, 4, 15))::uuid, to_timestamp(at / 1000.0), account_id,
    n, action, actor_id, email, target_id, outcome, substr(h, 1, 16),
    lower(concat_ws(E'\\n', action, name, email, target_name, target_id, address, nullif(reason, ''), 'name', before, after)),
    json_build_object('action', action, 'actor', json_build_object('kind', 'AUDIT_ACTOR_KIND_USER', 'id', actor_id, 'name', name, 'email', email,
      'accountId', account_id), 'target', json_build_object('kind', 'device', 'id', target_id, 'name', target_name), 'outcome',
      CASE outcome WHEN 1 THEN 'AUDIT_OUTCOME_SUCCESS' ELSE 'AUDIT_OUTCOME_REFUSED' END, 'reason', reason, 'requestId', substr(h, 1, 16),
      'origin', json_build_object('address', address, 'userAgent', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'),
      'changes', json_build_array(json_build_object('field', 'name', 'before', before, 'after', after))),
    decode(h || h, 'hex')
  FROM generate_series($1::bigint, $2::bigint) n
  CROSS JOIN LATERAL (SELECT ${account} AS a, md5('event' || n) AS h,
    ('x' || left(md5('random' || n), 8))::bit(32)::bigint AS r, ($3::bigint + (n - $1) * ($4::bigint / ($2 - $1 + 1)))::bigint AS at) place
  CROSS JOIN LATERAL (SELECT ${person} AS u, ${device} AS d) things
  CROSS JOIN LATERAL (SELECT ${scaleId('account', 'a')} AS account_id, ${ACTION} AS action, ${scaleId('user', 'u')}::text AS actor_id,
    ${FIRST} || ' ' || ${LAST} AS name, lower(${FIRST} || '.' || ${LAST} || '.' || u || '@scale.example') AS email,
    md5('device' || d)::uuid::text AS target_id, 'Hall ' || d % 90 || ' pump ' || d AS target_name,
    '10.' || a % 250 || '.' || u % 250 || '.' || r % 250 AS address, CASE WHEN r % 1000 = 3 THEN 2 ELSE 1 END AS outcome,
    CASE WHEN n % ${RARE.every} = 17 THEN 'For the ${RARE.words}' WHEN r % 1000 = 3 THEN 'permission_denied' ELSE '' END AS reason,
    '"pump ' || r % 9973 || '"' AS before, '"pump ' || r % 9967 || '"' AS after) made`;

const CHAINS = `
  INSERT INTO trail.chains (account_id, sequence, hash, time) SELECT account_id, count(*), '', now() FROM events GROUP BY account_id
  ON CONFLICT DO NOTHING;
  INSERT INTO trail.verifications VALUES (true, now(), 0) ON CONFLICT (single) DO UPDATE SET time = now()`;

/** A month's number of rows before it, first day and length. */
interface Month {
  name: string;
  first: number;
  start: Date;
  end: Date;
}

function monthsBefore(now: Date): Month[] {
  return Array.from({ length: TRAIL.months }, (_, at) => {
    const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - TRAIL.months + at));
    const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));
    return { name: start.toISOString().slice(0, 7).replace('-', ''), first: at * EACH + 1, start, end };
  });
}

/**
 * Fills the trail with events, a partition for each month, indexed like the others once it has its rows. Months that are there already
 * are kept. Their chains have lengths, but no hashes, so the trail counts as verified.
 * @param administrator URL of the database
 */
export async function fillTrail(administrator: string, now: Date): Promise<void> {
  const client = new pg.Client({ connectionString: administrator, statement_timeout: 0 });
  await client.connect();
  try {
    await client.query(
      `SET search_path = audit, public; SET synchronous_commit = off; SET maintenance_work_mem = '512MB'`,
    );
    const { rows } = await client.query<{ owner: string }>(
      `SELECT quote_ident(pg_get_userbyid(relowner)) AS owner FROM pg_class WHERE oid = 'audit.events'::regclass`,
    );
    await client.query(`SET ROLE ${rows[0]?.owner ?? 'none'}`);
    for (const month of monthsBefore(now)) await fillMonth(client, month);
    await client.query(`RESET ROLE; ${CHAINS}`);
  } finally {
    await client.end();
  }
}

/**
 * Stores events of the present as the audit service does, in transactions of 200 over one connection.
 * @param url of the service's database and role
 * @returns events a second
 */
export async function storeEvents(url: string): Promise<number> {
  const [batch, batches] = [200, 50];
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const first = Date.now();
    const begun = performance.now();
    for (let at = 0; at < batches; at++) {
      const from = first + at * batch;
      await client.query(`INSERT INTO events ${ROWS}`, [from, from + batch - 1, Date.now(), batch]);
    }
    return (batch * batches) / ((performance.now() - begun) / 1_000);
  } finally {
    await client.end();
  }
}

async function fillMonth(client: pg.Client, { name, first, start, end }: Month): Promise<void> {
  const partition = `events_${name}`;
  const { rowCount } = await client.query('SELECT FROM pg_inherits WHERE inhrelid = to_regclass($1)', [partition]);
  if (rowCount) return;
  await client.query(`DROP TABLE IF EXISTS ${partition}; CREATE TABLE ${partition} (LIKE events INCLUDING DEFAULTS)`);
  const length = end.getTime() - start.getTime();
  await client.query(`INSERT INTO ${partition} ${ROWS}`, [first, first + EACH - 1, start.getTime(), length]);
  await client.query(`ALTER TABLE ${partition} ADD PRIMARY KEY (id)`);
  const { rows: indexes } = await client.query<{ definition: string }>(
    `SELECT substring(pg_get_indexdef(indexrelid) FROM ' USING .*') AS definition FROM pg_index
     WHERE indrelid = 'events'::regclass AND NOT indisprimary`,
  );
  for (const { definition } of indexes) await client.query(`CREATE INDEX ON ${partition} ${definition}`);
  await client.query(
    `CREATE TRIGGER events_not_truncated BEFORE TRUNCATE ON ${partition} EXECUTE FUNCTION events_only_grow()`,
  );
  const bounds = [start, end].map((time) => `(id_at('${time.toISOString()}'))`).join(' TO ');
  await client.query(`ALTER TABLE events ATTACH PARTITION ${partition} FOR VALUES FROM ${bounds}`);
  await client.query(`VACUUM ANALYZE ${partition}`);
}
