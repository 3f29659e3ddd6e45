import type { Sql } from '@warren/platform/database/sql';
import type { GuestEntity } from './guest.entity.ts';

/** What the session of a guest needs. */
export type KnownGuest = Pick<GuestEntity, 'id' | 'linkId' | 'name' | 'hash'>;

/** Finds the guest of a cookie, for each of their requests. */
export async function findGuest(sql: Sql, hash: string): Promise<KnownGuest | undefined> {
  const [row] = await sql.query<KnownGuest[]>(
    'SELECT id, link_id AS "linkId", hash, name FROM guests WHERE hash = $1',
    [hash],
  );
  return row;
}
