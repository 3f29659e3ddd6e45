import { lockByKey } from '@warren/platform/database/sql';
import { Fault } from '@warren/platform/errors/fault';
import type { EventfulTransactions } from '@warren/platform/events/outbox';
import { Raw, type EntityManager } from 'typeorm';
import { AccountEntity } from '../accounts/account.entity.ts';
import type { Emit } from '../contract/acting.ts';
import type { Founder } from '../lifecycle/founder.ts';
import { UserEntity } from '../users/user.entity.ts';
import type { People } from './people.ts';

type SeedAccount = People['accounts'][number];

/** An arbitrary advisory lock key, the same in every process: concurrent seeds are serialised. */
const LOCK = 0x5eed;

/** Ids of the entries of a seed file, new or existing. */
export interface Seeded {
  accounts: { id: string; name: string; created: boolean; users: { id: string; email: string; created: boolean }[] }[];
}

/** Creates what a seed file lists and does not exist yet; existing entries stay unchanged. All or nothing. */
export class SeedService {
  private readonly outbox: EventfulTransactions;
  private readonly founder: Founder;

  constructor(outbox: EventfulTransactions, founder: Founder) {
    this.outbox = outbox;
    this.founder = founder;
  }

  /** @throws Fault `already_exists` for the e-mail of a user of another account */
  seed(people: People): Promise<Seeded> {
    return this.outbox.transaction(async (manager, emit) => {
      await lockByKey(manager, LOCK);
      const accounts: Seeded['accounts'] = [];
      for (const wanted of people.accounts) accounts.push(await this.seedAccount(manager, emit, wanted));
      return { accounts };
    });
  }

  private async seedAccount(manager: EntityManager, emit: Emit, wanted: SeedAccount) {
    const found = await manager.findOneBy(AccountEntity, accountOf(wanted));
    const { name, operator } = wanted;
    const account = found ?? (await this.founder.foundAccount(manager, emit, { name, operator }));
    const users: Seeded['accounts'][number]['users'] = [];
    for (const user of wanted.users) users.push(await this.seedUser(manager, emit, account, user));
    return { id: account.id, name: account.name, created: !found, users };
  }

  private async seedUser(
    manager: EntityManager,
    emit: Emit,
    account: AccountEntity,
    wanted: SeedAccount['users'][number],
  ) {
    const { email } = wanted;
    const found = await manager.findOneBy(UserEntity, { email });
    if (found && found.accountId !== account.id)
      throw new Fault('already_exists', `${email} belongs to another account than ${account.name}.`);
    const { id } = found ?? (await this.founder.addUser(manager, emit, { account, ...wanted }));
    return { id, email, created: !found };
  }
}

function accountOf({ name, operator }: SeedAccount) {
  if (operator) return { operator };
  return { name: Raw((column) => `lower(${column}) = lower(:name)`, { name }), operator };
}
