import { auditEvent } from '@warren/platform/audit/audit.event';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { lockByKey } from '@warren/platform/database/sql';
import type { EventfulTransactions } from '@warren/platform/events/outbox';
import { Like, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Emit } from '../contract/acting.ts';
import { aboutAccount } from '../events/audited.ts';
import { dissolve } from '../lifecycle/dissolution.ts';
import type { Founder } from '../lifecycle/founder.ts';
import { UserEntity } from '../users/user.entity.ts';

/** Domain of the user that an installation test signs in as; reserved, so that no person can have it (RFC 2606, section 2). */
const DOMAIN = 'installation-test.invalid';

/** An arbitrary advisory lock key, the same in every process: concurrent tests are serialised, and the later one gets the account. */
const LOCK = 0x7e57;

/** The account of one test, and its user. */
export interface Tester {
  account: string;
  email: string;
}

/** The account of an installation test, which exists only while the test runs. */
export class TestAccount {
  private readonly outbox: EventfulTransactions;
  private readonly founder: Founder;

  constructor(outbox: EventfulTransactions, founder: Founder) {
    this.outbox = outbox;
    this.founder = founder;
  }

  /** Creates an account that the tester owns, and removes what an aborted test left. */
  make(): Promise<Tester> {
    return this.outbox.transaction(async (manager, emit) => {
      await this.takeAway(manager, emit);
      const mark = uuidv7().slice(-12);
      const name = `Installation test ${mark}`;
      const account = await this.founder.foundAccount(manager, emit, { name, operator: false });
      // A new address each time, so that the end of a former test's sessions cannot end this one's.
      const email = `helm-test-${mark}@${DOMAIN}`;
      const owner = { account, email, name: 'Installation test', group: 'Account Owners' } as const;
      await this.founder.addUser(manager, emit, owner);
      emit(
        auditEvent(serviceCaller('tenancy'), { action: 'account.create', ...aboutAccount(account), after: { name } }),
      );
      return { account: account.id, email };
    });
  }

  /** Deletes the account with all its data; other services follow the events. Idempotent. */
  remove(): Promise<void> {
    return this.outbox.transaction((manager, emit) => this.takeAway(manager, emit));
  }

  private async takeAway(manager: EntityManager, emit: Emit): Promise<void> {
    await lockByKey(manager, LOCK);
    const testers = await manager.findBy(UserEntity, { email: Like(`%@${DOMAIN}`) });
    for (const id of new Set(testers.map(({ accountId }) => accountId))) {
      const { account, ...details } = await dissolve(manager, emit, id);
      emit(auditEvent(serviceCaller('tenancy'), { action: 'account.delete', ...aboutAccount(account), details }));
    }
  }
}
