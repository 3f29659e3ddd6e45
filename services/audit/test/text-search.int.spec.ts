import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@warren/infra/test-database';
import { DataSource } from 'typeorm';
import { containing } from '../src/list/list.sql.ts';
import { hasTrigram } from '../src/list/text.search.ts';

const ROWS = 500;
const WITHOUT = ['@@@', '---', 'a--', '½½½', '%_%', '\\\\\\'];
const WITH_TRIGRAM = ['a-b', 'ab-', '-a-', '--a', 'a b', '10.0.0.1', 'a_b', 'ab%', '\\a\\', 'pump', 'grün', '植木鉢'];

interface Plan {
  'Actual Rows': number;
  Plans?: Plan[];
}

let database: TestDatabase;
let source: DataSource;

beforeAll(async () => {
  database = await createTestDatabase('audit');
  source = await new DataSource({ type: 'postgres', url: database.adminUrl, poolSize: 1 }).initialize();
  await source.query('CREATE TABLE texts (searched text)');
  await source.query('INSERT INTO texts SELECT md5(n::text) FROM generate_series(1, $1::int) n', [ROWS]);
  await source.query('CREATE INDEX ON texts USING gin (searched public.gin_trgm_ops)');
  await source.query('SET enable_seqscan = off');
});
afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});

it.each([...WITHOUT, ...WITH_TRIGRAM])(
  'PostgreSQL finds %j in the index of trigrams, or reads all of it',
  async (text) => {
    const statement = `EXPLAIN (ANALYZE, FORMAT JSON) SELECT FROM texts WHERE searched LIKE '${containing(text)}'`;
    const [row] = await source.query<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(statement);
    const read = row?.['QUERY PLAN'][0]?.Plan.Plans?.[0]?.['Actual Rows'];
    expect(read === ROWS).toBe(WITHOUT.includes(text));
    expect(hasTrigram(text)).toBe(WITH_TRIGRAM.includes(text));
  },
);
