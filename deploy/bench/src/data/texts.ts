import pg from 'pg';
import { scaleId } from './data-set.ts';

/** Recordings of an hour each, in two accounts: searches of one must not read the other. */
export const TEXTS = { hours: 10_000, accounts: 2, blocks: 16, lines: 30 } as const;
/** Recordings in a statement. */
const SLICE = 250;
/** Words of most lines. */
export const COMMON = ['apt', 'nginx', 'error', 'systemd', 'commit', 'pump', 'valve', 'restart', 'warning', 'python3'];

const words = `(ARRAY[${COMMON.map((word) => `'${word}'`).join()}])`;
const number = (of: string) => `('x' || left(md5(${of}), 7))::bit(28)::int`;
const LINE = `${words}[1 + ${number(`'first' || n || b || r`)} % ${COMMON.length}] || ' ' ||
  ${words}[1 + ${number(`'second' || n || b || r`)} % ${COMMON.length}] || ' ' || ${number(`'rare' || n || b || r || a`)}`;

const RECORDINGS = `
  INSERT INTO recordings (id, account_id, device_id, device_name, terminal, kind, user_id, user_email, started, policy, cols, rows, hash)
  SELECT ${scaleId('recording', 'a * 100000 + n')}, ${scaleId('account', 'a')}, md5('device' || n % 100)::uuid, 'pump ' || n % 100, n::text, 1, 'u',
    'ada@scale.example', now() - n * interval '1 hour', 2, 80, 24, ''
  FROM generate_series(1, $1::int) a, generate_series(1, $2::int) n ON CONFLICT DO NOTHING`;

const BLOCKS = `
  INSERT INTO recording_texts (recording_id, account_id, block, at_ms, at_offset, content)
  SELECT ${scaleId('recording', 'a * 100000 + n')}, ${scaleId('account', 'a')}, b, array_agg(r ORDER BY r), array_agg(r ORDER BY r),
    string_agg(${LINE}, E'\n' ORDER BY r)
  FROM generate_series(1, $1::int) a, generate_series($2::int, $3::int) n, generate_series(1, ${TEXTS.blocks}) b, generate_series(1, ${TEXTS.lines}) r
  GROUP BY a, n, b ON CONFLICT DO NOTHING`;

/**
 * Fills the texts of recordings, as the indexer stores them: blocks of 30 lines, of common words and a rare number. Keeps existing rows.
 * @param url of the audit service's database and role
 */
export async function fillTexts(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, statement_timeout: 0 });
  await client.connect();
  try {
    await client.query('SET synchronous_commit = off');
    const { rowCount } = await client.query(RECORDINGS, [TEXTS.accounts, TEXTS.hours]);
    if (rowCount === 0) return;
    for (let from = 1; from <= TEXTS.hours; from += SLICE)
      await client.query(BLOCKS, [TEXTS.accounts, from, Math.min(from + SLICE - 1, TEXTS.hours)]);
    await client.query('VACUUM ANALYZE recording_texts');
  } finally {
    await client.end();
  }
}

/** Returns numbers that few lines of the first account have, from recordings of all ages. */
export async function rareTexts(url: string, count: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ text: string }>(
      `SELECT split_part(split_part(content, E'\n', 7), ' ', 3) AS text FROM recording_texts
       WHERE account_id = ${scaleId('account', '1')} AND block = 1 AND recording_id = ANY(
         SELECT ${scaleId('recording', '100000 + n')} FROM generate_series(1, $1::int, $1::int / $2::int) n)`,
      [TEXTS.hours, count],
    );
    return rows.map(({ text }) => text);
  } finally {
    await client.end();
  }
}
