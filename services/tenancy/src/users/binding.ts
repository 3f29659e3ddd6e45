import type { ProviderIdentity } from '@warren/proto/tenancy/v1/tenancy';
import type { EntityManager } from 'typeorm';
import { UserEntity } from './user.entity.ts';
import type { UserRow } from './user.row.ts';

type Identity = Pick<ProviderIdentity, 'provider' | 'subject'>;
type Bound = Pick<UserRow, 'id' | 'account_id' | 'provider' | 'subject'>;

/**
 * Whether a session of this identity is the user's. Users of earlier versions, and those whose sign-in was reset, are unbound
 * until the next sign-in. A binding without a subject is to the provider and the address.
 */
export function isBoundTo(user: Identity, identity: Identity): boolean {
  if (user.provider === '') return true;
  return user.provider === identity.provider && (user.subject === '' || user.subject === identity.subject);
}

/** Whether a sign-in knows more than the binding: there is none, or none with a subject. */
function knowsMore(user: Bound, { subject }: Identity): boolean {
  return user.provider === '' || (user.subject === '' && subject !== '');
}

/**
 * Binds a user to the identity of a sign-in, unless bound already. Of two sign-ins at the same time, one binds.
 * @returns whether the identity is the user's
 */
export async function bind(manager: EntityManager, user: Bound, identity: Identity): Promise<boolean> {
  if (!isBoundTo(user, identity)) return false;
  if (!knowsMore(user, identity)) return true;
  const { id, account_id: accountId, provider, subject } = user;
  const { affected } = await manager.update(
    UserEntity,
    { id, accountId, provider, subject },
    { provider: identity.provider, subject: identity.subject, boundAt: () => 'now()' },
  );
  if (affected) return true;
  const now = await manager.findOneBy(UserEntity, { id, accountId });
  return now !== null && isBoundTo(now, identity);
}

/** Takes the binding away; the next sign-in binds. */
export async function unbind(manager: EntityManager, user: Pick<Bound, 'id' | 'account_id'>): Promise<void> {
  await manager.update(
    UserEntity,
    { id: user.id, accountId: user.account_id },
    { provider: '', subject: '', boundAt: null },
  );
}
