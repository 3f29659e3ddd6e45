import type { Message, MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Injectable } from '@nestjs/common';
import { pageOf } from '@warren/platform/database/page';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { quotasMessage } from '@warren/platform/quotas/quotas';
import { listScope, may, requireMay } from '@warren/platform/policy/policy';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import type { PageRequest } from '@warren/proto/common/v1/common';
import type {
  AccountSchema,
  GetWorkspaceResponseSchema,
  ListAccountsResponseSchema,
} from '@warren/proto/tenancy/v1/tenancy';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { statusOf } from '../contract/enums.ts';
import { AccountEntity } from './account.entity.ts';
import { accountOf, accountsOf, accountsPage, type AccountRow } from './accounts.sql.ts';

const MOST_IDS = 1_000;

type AccountInit = Exclude<MessageInitShape<typeof AccountSchema>, Message>;

/** The accounts directory. */
@Injectable()
export class AccountsService {
  constructor(private readonly source: DataSource) {}

  /** Operators only; owners are shown to those who may see the directory, not to those who may only choose an account. */
  async list(
    caller: Caller,
    request: { page?: PageRequest; ids?: readonly string[] },
  ): Promise<MessageInitShape<typeof ListAccountsResponseSchema>> {
    const { user } = listScope(caller, 'accounts.select', '');
    const { rows, total } = await this.rowsOf(request);
    const owners = may(user, 'accounts.list');
    return { accounts: rows.map((row) => asAccount(row, owners)), total };
  }

  private async rowsOf({ page, ids = [] }: { page?: PageRequest; ids?: readonly string[] }) {
    if (ids.length === 0) return accountsPage(this.source, pageOf(page));
    if (ids.length > MOST_IDS) throw invalidInput({ field: 'ids', message: `expected at most ${MOST_IDS} ids` });
    const rows = await accountsOf(
      this.source,
      ids.filter((id) => isUuid(id)),
    );
    return { rows, total: rows.length };
  }

  /** For a user who may read the account, and for the devices service, which keeps a copy of names and states. */
  async get(caller: Caller, { id }: { id: string }): Promise<{ account: AccountInit }> {
    const service = caller.kind.case === 'service';
    if (service) requireService(caller, 'devices', 'fleet');
    else requireMay(caller, 'accounts.read', id);
    const row = isUuid(id) ? await accountOf(this.source, id) : undefined;
    if (!row) throw new Fault('not_found', `account ${id}.`);
    const account = asAccount(row, true);
    return { account: service ? { ...account, ownQuotas: quotasMessage(row.quotas) } : account };
  }

  /** The operator account, for every signed-in user and the gateway. */
  async workspace(caller: Caller): Promise<MessageInitShape<typeof GetWorkspaceResponseSchema>> {
    if (caller.kind.case === 'service') requireService(caller, 'gateway');
    const operator = await this.source.manager.findOneBy(AccountEntity, { operator: true });
    if (!operator) throw new Fault('unavailable', 'There is no operator account yet.', { retryAfter: 5 });
    return { operatorAccountId: operator.id, operatorAccountName: operator.name };
  }
}

function asAccount({ owner, ...row }: AccountRow, withOwner: boolean): AccountInit {
  return {
    id: row.id,
    name: row.name,
    operator: row.operator,
    created: timestampFromDate(row.created),
    status: statusOf(row.status),
    ...(owner && withOwner
      ? { owner: { name: owner.name, email: owner.email, picture: owner.picture, signedUp: owner.signed_up } }
      : {}),
  };
}
