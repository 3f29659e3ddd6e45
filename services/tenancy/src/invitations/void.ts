import type { EntityManager } from 'typeorm';
import { announceOwner } from '../accounts/owner.ts';
import type { Emit } from '../contract/acting.ts';
import { invitationChanged } from '../events/tenancy.event.ts';
import type { UserEntity } from '../users/user.entity.ts';
import { voidInvitationsTo } from './invitations.sql.ts';

/** Keeps invitations of other accounts listed as belonging to a person who joined elsewhere. A queued mail revives none. */
export async function voidOthers(
  manager: EntityManager,
  emit: Emit,
  { email }: Pick<UserEntity, 'email'>,
): Promise<void> {
  for (const other of await voidInvitationsTo(manager, email)) {
    emit(invitationChanged(other));
    // The other account may have listed this person as its future owner.
    await announceOwner(manager, emit, other.accountId);
  }
}
