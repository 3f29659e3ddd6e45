import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';
import type { GuestLinkRow } from './guest.links.sql.ts';

/** A row of `guests`. */
export interface GuestRow {
  id: string;
  link_id: string;
  /** Of the secret of the guest's cookie. */
  hash: string;
  name: string;
  /** Where the guest came from. */
  address: string;
  joined_at: Date;
}

/** The link of a guest: what their session says. */
export type GuestOfLink = Pick<GuestRow, 'id' | 'name' | 'hash'> & { link_id: string };

export async function insertGuest(manager: EntityManager, guest: Omit<GuestRow, 'joined_at'>): Promise<void> {
  await manager.query('INSERT INTO guests (id, link_id, hash, name, address) VALUES ($1, $2, $3, $4, $5)', [
    guest.id,
    guest.link_id,
    guest.hash,
    guest.name,
    guest.address,
  ]);
}

/** The guests of links, newest first. */
export async function guestsOf(sql: Sql, links: readonly Pick<GuestLinkRow, 'id'>[]): Promise<GuestRow[]> {
  if (links.length === 0) return [];
  return sql.query(
    `SELECT id, link_id, hash, name, address, joined_at FROM guests WHERE link_id = ANY($1::uuid[])
     ORDER BY joined_at DESC, id`,
    [links.map(({ id }) => id)],
  );
}

/** The guest of a cookie. */
export async function findGuest(sql: Sql, hash: string): Promise<GuestOfLink | undefined> {
  const [row] = await sql.query<GuestOfLink[]>('SELECT id, link_id, hash, name FROM guests WHERE hash = $1', [hash]);
  return row;
}
