import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { newEvent, type Event } from '@warren/platform/events/event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import type { InvitationLink, LookUpInvitationResponseSchema } from '@warren/proto/tenancy/v1/invitations';
import { DataSource, QueryFailedError, type EntityManager } from 'typeorm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { userChanged } from '../accounts/founder.ts';
import { announceOwner } from '../accounts/owner.ts';
import { personName } from '../members/person-name.ts';
import { normaliseEmail } from '../users/email.ts';
import { UserEntity } from '../users/user.entity.ts';
import { asInvitation, SELECT_INVITATION, type InvitationRow } from './invitation.row.ts';
import { invitationChanged, invitationDeleted } from './invitations.ts';
import { hashOf } from './token.ts';

type Emit = (event: Event) => void;
type Link = Pick<InvitationLink, 'email' | 'accountId' | 'token'> | undefined;

const GOOD = 'i.email = $1 AND i.account_id = $2 AND i.token_hash = $3 AND i.expires > now()';
/** PostgreSQL's unique_violation. */
const DUPLICATE = '23505';

/** What an invited person does with the link. The gateway asks for them; the link's token is what counts. */
@Injectable()
export class AcceptanceService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
  ) {}

  /** What a link is for. */
  async lookUp(
    caller: Caller,
    { link }: { link?: Link },
  ): Promise<MessageInitShape<typeof LookUpInvitationResponseSchema>> {
    requireService(caller, 'gateway');
    const row = await find(this.source.manager, link);
    return { invitation: asInvitation(row), name: row.name, invitedBy: row.inviter };
  }

  /** Keeps the name that the person gave, and that they agreed. The link stays good: accepting it needs a sign-in. */
  async signUp(caller: Caller, { link, ...input }: { link?: Link; name: string }): Promise<object> {
    requireService(caller, 'gateway');
    const name = personName(input.name);
    if (name === '') throw new Fault('invalid_argument', 'Invalid input: name: nothing came, a name is needed.');
    return this.outbox.transaction(async (manager, emit) => {
      const row = await find(manager, link, 'FOR UPDATE OF i');
      await manager.query('UPDATE invitations SET name = $2, agreed_at = now() WHERE id = $1', [row.id, name]);
      emit(invitationChanged({ id: row.id, accountId: row.account_id }));
      return {};
    });
  }

  /**
   * Makes the signed-in person a user in the invitation's group; the invitation is gone then, so it works once.
   * @throws Fault `permission_denied` for somebody else than was invited, `not_found` for a link that is not good,
   *   `already_exists` when the person is a user meanwhile
   */
  async accept(
    caller: Caller,
    { link, signedInEmail, signedInName }: { link?: Link; signedInEmail: string; signedInName: string },
  ): Promise<{ userId: string; accountId: string }> {
    requireService(caller, 'gateway');
    const email = normaliseEmail(signedInEmail);
    if (email === '' || email !== normaliseEmail(link?.email ?? ''))
      throw new Fault('permission_denied', `Not allowed: this invitation is for ${link?.email}, and you are ${email}.`);
    return this.outbox.transaction(async (manager, emit) => {
      const row = await find(manager, link, 'FOR UPDATE OF i');
      await manager.query('DELETE FROM invitations WHERE id = $1', [row.id]);
      const user = await join(manager, row, row.name || personName(signedInName));
      await announce(manager, emit, row, user);
      return { userId: user.id, accountId: user.accountId };
    });
  }
}

async function find(manager: EntityManager, link: Link, lock = ''): Promise<InvitationRow> {
  const email = normaliseEmail(link?.email ?? '');
  const values = [email, link?.accountId, hashOf(link?.token ?? '')];
  const rows =
    link && isUuid(link.accountId)
      ? await manager.query<InvitationRow[]>(`${SELECT_INVITATION} WHERE ${GOOD} ${lock}`, values)
      : [];
  const [row] = rows;
  if (!row)
    throw new Fault(
      'not_found',
      'Not found: this invitation is not good any more. Ask for a new one to be sent to you.',
    );
  return row;
}

async function join(manager: EntityManager, row: InvitationRow, name: string): Promise<UserEntity> {
  const user: UserEntity = {
    ...{ id: uuidv7(), accountId: row.account_id, groupId: row.group_id, email: row.email, name },
    ...{ picture: '', status: 'Active', created: new Date() },
  };
  try {
    await manager.insert(UserEntity, user);
  } catch (cause) {
    if (!(cause instanceof QueryFailedError && (cause.driverError as { code?: unknown }).code === DUPLICATE))
      throw cause;
    throw new Fault('already_exists', `Conflict: ${row.email} is a user already.`, { cause });
  }
  return user;
}

async function announce(manager: EntityManager, emit: Emit, row: InvitationRow, user: UserEntity): Promise<void> {
  const { accountId, groupId } = user;
  emit(userChanged(user));
  emit(newEvent({ accountId, actor: user.id, kind: { case: 'groupChanged', value: { groupId } } }));
  emit(invitationDeleted({ id: row.id, accountId }, user.id));
  if (row.role === 'Owner') await announceOwner(manager, emit, accountId);
}
