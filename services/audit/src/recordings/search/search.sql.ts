import { containing } from '../../list/list.sql.ts';
import { conditionsOf, type RecordingConditions } from '../view/view.sql.ts';
import type { EntityManager } from 'typeorm';

/** A block of lines with a text. */
export interface FoundBlock {
  recordingId: string;
  accountId: string;
  block: number;
  atMs: number[];
  offsets: number[];
  lines: string[];
}

/** The place of a block in the order of a search. */
export interface SearchPlace {
  recordingId: string;
  block: number;
}

export interface TextQuery {
  conditions: RecordingConditions;
  /** In lower case. */
  text: string;
  after: SearchPlace | undefined;
  /** Only in this recording, in its order. */
  recordingId: string | undefined;
}

const COLUMNS = `t.recording_id AS "recordingId", t.account_id AS "accountId", t.block, t.at_ms::float8[] AS "atMs",
  t.at_offset::float8[] AS offsets, string_to_array(t.content, E'\\n') AS lines`;

/** Limits the time of each statement of a transaction. */
export async function limitTime(manager: EntityManager, ms: number): Promise<void> {
  await manager.query(`SELECT set_config('statement_timeout', $1, true)`, [String(ms)]);
}

/** Reads the next `window` blocks in order. @returns those with the text, and the place after the last that was read; undefined at the end */
export async function walkBlocks(
  manager: EntityManager,
  query: TextQuery,
  { window, limit }: { window: number; limit: number },
): Promise<{ blocks: FoundBlock[]; next: SearchPlace | undefined }> {
  const { add, values, where, order } = scopeOf(query);
  const inner = `SELECT t.recording_id, t.block FROM recording_texts t WHERE ${where} ORDER BY ${order} LIMIT ${add(window)}`;
  // The place where the window ends, for the next page.
  const [end] = await manager.query<{ recordingId: string; block: number; n: string }[]>(
    `SELECT recording_id AS "recordingId", block, count(*) OVER () AS n FROM (${inner}) AS t ORDER BY ${reversed(order)} LIMIT 1`,
    values,
  );
  if (!end) return { blocks: [], next: undefined };
  const isLast = Number(end.n) < window;
  const blocks = await manager.query<FoundBlock[]>(
    `SELECT ${COLUMNS} FROM (${inner}) AS w JOIN recording_texts t USING (recording_id, block) JOIN recordings r ON r.id = t.recording_id
     WHERE ${conditionsWith(query, add)} AND lower(t.content) LIKE ${add(containing(query.text))} ORDER BY ${order} LIMIT ${add(limit)}`,
    values,
  );
  const last = blocks.length === limit ? blocks.at(-1) : undefined;
  if (last) return { blocks, next: { recordingId: last.recordingId, block: last.block } };
  return { blocks, next: isLast ? undefined : { recordingId: end.recordingId, block: end.block } };
}

/** Looks the text up in the index of trigrams. */
export async function lookUpBlocks(manager: EntityManager, query: TextQuery, limit: number): Promise<FoundBlock[]> {
  const { add, values, where, order } = scopeOf(query);
  const { accountId } = query.conditions;
  // No index has this form of the comparison, and OFFSET 0 keeps the rest from the choice of the index: it is that of the trigrams.
  const account = accountId === undefined ? '' : `AND t.account_id IS NOT DISTINCT FROM ${add(accountId)}::uuid`;
  const found = `SELECT t.* FROM recording_texts t WHERE lower(t.content) LIKE ${add(containing(query.text))} ${account} OFFSET 0`;
  return manager.query(
    `SELECT ${COLUMNS} FROM (${found}) AS t JOIN recordings r ON r.id = t.recording_id
     WHERE ${where} AND ${conditionsWith(query, add)} ORDER BY ${order} LIMIT ${add(limit)}`,
    values,
  );
}

function conditionsWith({ conditions }: TextQuery, add: (value: unknown) => string): string {
  return ['true', ...conditionsOf(conditions, add)].join(' AND ');
}

function scopeOf({ conditions: { accountId }, after, recordingId }: TextQuery) {
  const values: unknown[] = [];
  const add = (value: unknown) => `$${values.push(value)}`;
  const where = ['true'];
  if (accountId !== undefined) where.push(`t.account_id = ${add(accountId)}`);
  if (recordingId !== undefined) where.push(`t.recording_id = ${add(recordingId)}`);
  if (after && recordingId !== undefined) where.push(`t.block > ${add(after.block)}`);
  else if (after)
    where.push(`(t.recording_id, t.block) < (${add(after.recordingId)}::uuid, ${add(after.block)}::integer)`);
  const order = recordingId === undefined ? 't.recording_id DESC, t.block DESC' : 't.recording_id, t.block';
  return { add, values, where: where.join(' AND '), order };
}

const reversed = (order: string) =>
  order.includes('DESC') ? 't.recording_id, t.block' : 't.recording_id DESC, t.block DESC';
