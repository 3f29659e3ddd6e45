import { Injectable } from '@nestjs/common';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import type { Event } from '@warren/platform/events/event';
import { email as emailRule } from '@warren/rules/emails';
import { In, type EntityManager } from 'typeorm';
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid';
import { check } from '../contract/check.ts';
import type { RoleName } from '../contract/enums.ts';
import { invitationChanged } from '../events/tenancy.event.ts';
import { GroupEntity } from '../groups/group.entity.ts';
import { UserEntity } from '../users/user.entity.ts';
import { upsertInvitation } from './invitations.sql.ts';

type Emit = (event: Event) => void;

export interface Invite {
  accountId: string;
  /** 1 to 10 groups of the account. */
  groupIds: string[];
  email: string;
  /** Id of the inviting user. */
  invitedBy: string;
}

/** From the widest role to the narrowest. */
const WIDEST: readonly RoleName[] = ['SuperAdmin', 'Owner', 'Admin', 'Member'];

/** Creates invitations in the caller's transaction; the caller checks permissions. Their mails follow asynchronously. */
@Injectable()
export class Invitations {
  /**
   * Invites an e-mail into the group with the widest role, the first named on a tie.
   * @returns the id of the invitation, new or renewed
   * @throws Fault `not_found` for a group that the account does not have; `already_exists` for an e-mail that is a user
   */
  async invite(manager: EntityManager, emit: Emit, { accountId, groupIds, ...input }: Invite): Promise<string> {
    const email = check('email', emailRule, input.email);
    const group = await widestGroup(manager, accountId, groupIds);
    await requireNoUser(manager, accountId, email);
    const id = await upsertInvitation(manager, {
      id: uuidv7(),
      accountId,
      groupId: group.id,
      email,
      invitedBy: input.invitedBy || null,
      mailing: uuidv4(),
    });
    emit(invitationChanged({ id, accountId }, input.invitedBy));
    return id;
  }
}

async function widestGroup(manager: EntityManager, accountId: string, ids: string[]): Promise<GroupEntity> {
  // Locked until the end: a later deletion of the group moves the invitation to another one.
  const lock = { mode: 'for_key_share' } as const;
  const found = await manager.find(GroupEntity, { where: { accountId, id: In(ids) }, order: { id: 'ASC' }, lock });
  const groups = ids.map((id) => {
    const group = found.find((candidate) => candidate.id === id);
    if (!group) throw new Fault('not_found', `group ${id}.`);
    return group;
  });
  const [widest] = groups.sort((one, other) => WIDEST.indexOf(one.role) - WIDEST.indexOf(other.role));
  if (!widest) throw invalidInput({ field: 'groups', message: 'none came, at least one is needed.' });
  return widest;
}

/** @throws Fault `already_exists` for the e-mail of a user */
export async function requireNoUser(manager: EntityManager, accountId: string, email: string): Promise<void> {
  const user = await manager.findOneBy(UserEntity, { email });
  if (!user) return;
  const where = user.accountId === accountId ? 'is already a member of this account' : 'belongs to another account';
  throw new Fault('already_exists', `${email} ${where}.`);
}
