import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { constraintOf } from '@warren/platform/database/database.fault';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { newEvent } from '@warren/platform/events/event';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import { AuditActorKind } from '@warren/proto/audit/v1/audit';
import type {
  InvitationLink,
  ListInvitationsOfResponseSchema,
  LookUpInvitationResponseSchema,
} from '@warren/proto/tenancy/v1/invitations';
import type { ProviderIdentity } from '@warren/proto/tenancy/v1/tenancy';
import { readEmail } from '@warren/rules/emails';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { announceOwner } from '../accounts/owner.ts';
import type { Emit } from '../contract/acting.ts';
import { aboutInvitation } from '../events/audited.ts';
import { userChanged, invitationChanged, invitationDeleted } from '../events/tenancy.event.ts';
import { UsersQuota } from '../quotas/users.quota.ts';
import { personName } from '../users/person-name.ts';
import { placesOf, retireOwners } from '../users/places.ts';
import { UserEntity } from '../users/user.entity.ts';
import { InvitationEntity } from './invitation.entity.ts';
import { asInvitation, type InvitationRow } from './invitation.row.ts';
import { goodInvitations } from './invitations.sql.ts';
import { find, holdAll, holdOne } from './link.ts';
import { voidOthers } from './void.ts';

type Link = Pick<InvitationLink, 'email' | 'accountId' | 'token'> | undefined;
type Identity = Pick<ProviderIdentity, 'provider' | 'subject'>;
type Shown = MessageInitShape<typeof LookUpInvitationResponseSchema>;

/** The acceptance of a signed-in person. */
interface Acceptance {
  link?: Link;
  signedInEmail: string;
  signedInName: string;
  /** The identity to bind the user to. */
  identity?: Identity;
}

/** Maximum invitations of one address that are listed. */
const MOST = 50;

/** Handles invited people, with a link or signed in. The gateway calls it: the link's token authorises, or the session's address. */
@Injectable()
export class AcceptanceService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly quota: UsersQuota,
  ) {}

  /** Returns the invitation of a link. */
  async lookUp(caller: Caller, { link }: { link?: Link }): Promise<Shown> {
    requireService(caller, 'gateway');
    return shown(await find(this.source.manager, link));
  }

  /** Lists the invitations of an address, newest first. */
  async listOf(
    caller: Caller,
    { email }: { email: string },
  ): Promise<MessageInitShape<typeof ListInvitationsOfResponseSchema>> {
    requireService(caller, 'gateway');
    const rows = await goodInvitations(this.source, readEmail(email) ?? '', MOST);
    return { invitations: rows.map(shown) };
  }

  /** Stores the person's name and consent. The link stays valid: accepting it requires a sign-in. */
  async signUp(caller: Caller, { link, ...input }: { link?: Link; name: string }): Promise<object> {
    requireService(caller, 'gateway');
    const name = personName(input.name);
    if (name === '') throw invalidInput({ field: 'name', message: 'The name is required' });
    return this.outbox.transaction(async (manager, emit) => {
      const row = await holdOne(manager, link);
      await manager.update(InvitationEntity, { id: row.id }, { name, agreedAt: () => 'now()' });
      emit(invitationChanged({ id: row.id, accountId: row.account_id }));
      const actor = { name, email: row.email };
      emit(auditEvent(caller, { action: 'invitation.sign_up', ...aboutInvitation(row), actor }));
      return {};
    });
  }

  /**
   * Makes the signed-in person a user in the invitation's group, bound to the identity. Deletes the invitation, and voids those of
   * other accounts. A new owner replaces the former one.
   * @throws Fault `permission_denied` for another person than was invited, `not_found` for an invalid link,
   *   `already_exists` if the person has become a user, `failed_precondition` for a disabled account,
   *   `quota_reached` if the account has no room for users
   */
  async accept(caller: Caller, acceptance: Acceptance): Promise<{ userId: string; accountId: string }> {
    requireService(caller, 'gateway');
    const { link, signedInEmail, signedInName, identity } = acceptance;
    const email = readEmail(signedInEmail);
    if (email === undefined || email !== readEmail(link?.email ?? ''))
      throw new Fault('permission_denied', `this invitation is for ${link?.email}, and you are ${signedInEmail}.`);
    return this.outbox.transaction(async (manager, emit) => {
      const { row, account } = await holdAll(manager, link);
      await manager.delete(InvitationEntity, { id: row.id });
      const name = row.name || personName(signedInName);
      const user = await this.quota.accepting(manager, account, () => join(manager, row, { name, identity }));
      if (row.role === 'Owner') await succeed(manager, emit, user);
      await voidOthers(manager, emit, user);
      await announce(manager, emit, row, user);
      const { id, email: address, accountId } = user;
      const actor = { kind: AuditActorKind.USER, id, name, email: address, accountId };
      const details = { group: row.group_name, role: row.role };
      emit(auditEvent(caller, { action: 'invitation.accept', ...aboutInvitation(row), actor, details }));
      return { userId: user.id, accountId: user.accountId };
    });
  }
}

function shown(row: InvitationRow): Shown {
  return { invitation: asInvitation(row), name: row.name, invitedBy: row.inviter };
}

async function join(
  manager: EntityManager,
  row: InvitationRow,
  { name, identity }: { name: string; identity: Identity | undefined },
): Promise<UserEntity> {
  const { provider = '', subject = '' } = identity ?? {};
  const user: UserEntity = {
    id: uuidv7(),
    accountId: row.account_id,
    groupId: row.group_id,
    email: row.email,
    name,
    picture: '',
    status: 'Active',
    created: new Date(),
    provider,
    subject,
    boundAt: provider === '' ? null : new Date(),
  };
  try {
    await manager.insert(UserEntity, user);
  } catch (cause) {
    if (constraintOf(cause) !== 'users_email') throw cause;
    throw new Fault('already_exists', `${row.email} is a user already.`, { cause });
  }
  return user;
}

/** Makes the former owner an admin. */
async function succeed(manager: EntityManager, emit: Emit, user: UserEntity): Promise<void> {
  const { id, accountId } = user;
  const places = await placesOf(manager, accountId);
  await retireOwners(manager, emit, places, id);
  emit(newEvent({ accountId, actor: id, kind: { case: 'groupChanged', value: { groupId: places.admins } } }));
}

async function announce(manager: EntityManager, emit: Emit, row: InvitationRow, user: UserEntity): Promise<void> {
  const { accountId, groupId } = user;
  emit(userChanged(user));
  emit(newEvent({ accountId, actor: user.id, kind: { case: 'groupChanged', value: { groupId } } }));
  emit(invitationDeleted({ id: row.id, accountId }, user.id));
  if (row.role === 'Owner') await announceOwner(manager, emit, accountId);
}
