import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { lockByKey } from '@warren/platform/database/sql';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { AccountEntity } from '../accounts/account.entity.ts';
import { aboutAccount, aboutUser } from '../events/audited.ts';
import { Founder } from '../lifecycle/founder.ts';

/** The operator of this installation. */
export interface BootstrapOptions {
  /** In lower case. */
  email: string;
  /** Name of the operator account. */
  account: string;
}
export const BOOTSTRAP_OPTIONS = Symbol('BootstrapOptions');

/** An arbitrary advisory lock key, the same in every replica: concurrent starts are serialised. */
const LOCK = 0x0b007;

/** Creates the operator account and first SuperAdmin in an empty database, before the first call is answered. */
@Injectable()
export class BootstrapService implements OnModuleInit {
  private readonly log = new Logger(BootstrapService.name);

  constructor(
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly founder: Founder,
    @Inject(BOOTSTRAP_OPTIONS) private readonly options: BootstrapOptions,
  ) {}

  async onModuleInit(): Promise<void> {
    const { account, email } = this.options;
    if (await this.ensure()) this.log.log({ account, email }, 'The operator account was created.');
  }

  /** @returns whether the database was empty */
  ensure(): Promise<boolean> {
    return this.outbox.transaction(async (manager, emit) => {
      await lockByKey(manager, LOCK);
      if (await manager.exists(AccountEntity)) return false;
      const { account: name, email } = this.options;
      const account = await this.founder.foundAccount(manager, emit, { name, operator: true });
      const user = await this.founder.addUser(manager, emit, { account, email, name: '', group: 'SuperAdmins' });
      const tenancy = serviceCaller('tenancy');
      emit(auditEvent(tenancy, { action: 'account.create', ...aboutAccount(account), after: { name } }));
      const about = aboutUser({ ...user, account_id: account.id });
      emit(auditEvent(tenancy, { action: 'user.create', ...about, after: { email, group: 'SuperAdmins' } }));
      return true;
    });
  }
}
