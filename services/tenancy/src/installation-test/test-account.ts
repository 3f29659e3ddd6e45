import type { EventfulTransactions } from '@warren/platform/events/outbox';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { dissolve } from '../accounts/dissolution.ts';
import type { Founder } from '../accounts/founder.ts';
import type { Emit } from '../contract/acting.ts';
import { UserEntity } from '../users/user.entity.ts';

/** Whom the test of an installation signs in as: in a domain that nobody can have (RFC 2606, section 2). */
export const TESTER = 'helm-test@installation-test.invalid';

/** Any number, the same in every process: two tests at once wait for one another, and the later one has the account. */
const LOCK = 0x7e57;

/** The account of the test of an installation: there while the test runs, and never otherwise. */
export class TestAccount {
  private readonly outbox: EventfulTransactions;
  private readonly founder: Founder;

  constructor(outbox: EventfulTransactions, founder: Founder) {
    this.outbox = outbox;
    this.founder = founder;
  }

  /** Makes an account that the tester owns, and takes away what a test left that did not come to its end. @returns its id */
  make(): Promise<string> {
    return this.outbox.transaction(async (manager, emit) => {
      await this.takeAway(manager, emit);
      const name = `Installation test ${uuidv7().slice(-12)}`;
      const account = await this.founder.foundAccount(manager, emit, { name, operator: false });
      const owner = { account, email: TESTER, name: 'Installation test', group: 'Account Owners' } as const;
      await this.founder.addUser(manager, emit, owner);
      return account.id;
    });
  }

  /** Takes it away with all that is in it; other services follow the events. Twice is no error. */
  remove(): Promise<void> {
    return this.outbox.transaction((manager, emit) => this.takeAway(manager, emit));
  }

  private async takeAway(manager: EntityManager, emit: Emit): Promise<void> {
    await manager.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const tester = await manager.findOneBy(UserEntity, { email: TESTER });
    if (tester) await dissolve(manager, emit, tester.accountId);
  }
}
