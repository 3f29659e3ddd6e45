import type { Sql } from '@warren/platform/database/sql';
import type { IdentityEntity } from './identity.entity.ts';

/** @returns the id of the identity, known or new; the database gives the times */
export async function upsertIdentity(
  sql: Sql,
  { id, provider, nameId, email, name }: Pick<IdentityEntity, 'id' | 'provider' | 'nameId' | 'email' | 'name'>,
): Promise<string> {
  const [row] = await sql.query<{ id: string }[]>(
    `INSERT INTO identities (id, provider, name_id, email, name, first_sign_in, last_sign_in)
     VALUES ($1, $2, $3, $4, $5, now(), now())
     ON CONFLICT (provider, name_id)
     DO UPDATE SET email = excluded.email, name = excluded.name, last_sign_in = now()
     RETURNING id`,
    [id, provider, nameId, email, name],
  );
  return row?.id ?? '';
}
