import type { EntityManager } from 'typeorm';
import { DomainEntity } from './domain.entity.ts';
import type { Place } from './domains.sql.ts';

/** Reads a domain of an account, and locks it until the transaction ends. */
export function lockDomain(manager: EntityManager, { accountId, id }: Place): Promise<DomainEntity | null> {
  return manager.findOne(DomainEntity, { where: { accountId, id }, lock: { mode: 'pessimistic_write' } });
}
