import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { newEvent } from '@warren/platform/events/event';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AccountEntity } from '../accounts/account.entity.ts';
import type { Emit } from '../contract/acting.ts';
import { accountChanged, userChanged } from '../events/tenancy.event.ts';
import { defaultGroups, type DefaultGroup } from '../groups/default-groups.ts';
import { GroupEntity } from '../groups/group.entity.ts';
import { UserEntity } from '../users/user.entity.ts';

/** Creates accounts with their groups, and users in them, in the caller's transaction. */
@Injectable()
export class Founder {
  /** Creates an active account with its default groups. The name must be free, ignoring case. */
  async foundAccount(
    manager: EntityManager,
    emit: Emit,
    input: { name: string; operator: boolean },
  ): Promise<AccountEntity> {
    const created = new Date();
    const account: AccountEntity = {
      id: uuidv7(),
      ...input,
      status: 'Active',
      created,
      quotas: {},
      explicitGrants: false,
    };
    await manager.insert(AccountEntity, account);
    emit(accountChanged(account));
    const groups = defaultGroups(account.operator).map((group) => ({
      id: uuidv7(),
      accountId: account.id,
      isDefault: true,
      created,
      ...group,
    }));
    await manager.insert(GroupEntity, groups);
    for (const { id } of groups)
      emit(newEvent({ accountId: account.id, kind: { case: 'groupChanged', value: { groupId: id } } }));
    return account;
  }

  /**
   * Creates an active user in a default group.
   * @param input `email` in lower case
   * @throws Fault `not_found` if the account has no such group
   */
  async addUser(
    manager: EntityManager,
    emit: Emit,
    input: { account: Pick<AccountEntity, 'id' | 'name'>; email: string; name: string; group: DefaultGroup },
  ): Promise<UserEntity> {
    const { account, email, name, group } = input;
    const found = await manager.findOneBy(GroupEntity, { accountId: account.id, name: group, isDefault: true });
    if (!found) throw new Fault('not_found', `group ${group} in the account ${account.name}.`);
    const user: UserEntity = {
      id: uuidv7(),
      accountId: account.id,
      groupId: found.id,
      email,
      name,
      picture: '',
      status: 'Active',
      created: new Date(),
      provider: '',
      subject: '',
      boundAt: null,
    };
    await manager.insert(UserEntity, user);
    emit(userChanged(user));
    return user;
  }
}
