import type { EntityManager } from 'typeorm';
import type { Grant } from './access.sql.ts';
import { GrantEntity, ServiceAccountGrantEntity } from './grant.entity.ts';

/** Inserts a grant into the table of its subject. */
export async function insertGrant(manager: EntityManager, grant: Omit<Grant, 'created'>): Promise<void> {
  const { serviceAccountId } = grant;
  if (serviceAccountId === null) await manager.insert(GrantEntity, grant);
  else await manager.insert(ServiceAccountGrantEntity, { ...grant, serviceAccountId });
}

/** Writes what can change of a grant. */
export async function updateGrant(manager: EntityManager, grant: Grant): Promise<void> {
  const { id, accountId, permissions, filter, note, expires } = grant;
  const table = grant.serviceAccountId === null ? GrantEntity : ServiceAccountGrantEntity;
  await manager.update(table, { id, accountId }, { permissions, filter, note, expires });
}
