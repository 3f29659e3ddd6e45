import type { Message, MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Injectable } from '@nestjs/common';
import { pageOf } from '@warren/platform/database/page';
import { Fault } from '@warren/platform/errors/fault';
import { quotasMessage } from '@warren/platform/quotas/quotas';
import { listScope, may, requireMay } from '@warren/platform/policy/policy';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import type { PageRequest } from '@warren/proto/common/v1/common';
import type {
  AccountSchema,
  GetWorkspaceResponseSchema,
  ListAccountsResponseSchema,
} from '@warren/proto/tenancy/v1/tenancy';
import type { OwnQuotas } from '@warren/rules/quotas';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { statusOf, type StatusName } from '../contract/enums.ts';
import { listed, pageQuery, type Listed } from '../contract/page-query.ts';
import { AccountEntity } from './account.entity.ts';

type AccountInit = Exclude<MessageInitShape<typeof AccountSchema>, Message>;

interface AccountRow {
  id: string;
  name: string;
  created: Date;
  status: StatusName;
  operator: boolean;
  quotas: OwnQuotas;
  owner: { name: string; email: string; picture: string; signed_up: boolean } | null;
}

/** The future owner, with a valid invitation into a group of owners; without one, the group's first user. */
const OWNER = `
  LEFT JOIN LATERAL (
    SELECT u.name, u.email, u.picture, true AS signed_up, u.created
    FROM users u JOIN groups g ON g.id = u.group_id AND g.account_id = u.account_id
    WHERE u.account_id = a.id AND g.role = 'Owner'
    UNION ALL
    SELECT '', i.email, '', false, i.invited_at
    FROM invitations i JOIN groups g ON g.id = i.group_id AND g.account_id = i.account_id
    WHERE i.account_id = a.id AND g.role = 'Owner' AND i.expires > now()
    ORDER BY signed_up, created, email
    LIMIT 1
  ) o ON true`;
const COLUMNS = 'a.id, a.name, a.created, a.status, a.operator, a.quotas, to_jsonb(o) AS owner';
const SELECT_ACCOUNT = `SELECT ${COLUMNS} FROM accounts a ${OWNER}`;

const ACCOUNTS = {
  source: 'FROM accounts a WHERE ($1::text IS NULL OR lower(a.name) LIKE $1)',
  keys: ['lower(a.name) COLLATE "C"'],
  id: 'a.id',
  columns: COLUMNS,
  joins: `JOIN accounts a ON a.id = page.id ${OWNER}`,
};

/** The accounts directory. */
@Injectable()
export class AccountsService {
  constructor(private readonly source: DataSource) {}

  /** Operators only; owners are shown to those who may see the directory, not to those who may only choose an account. */
  async list(
    caller: Caller,
    request: { page?: PageRequest },
  ): Promise<MessageInitShape<typeof ListAccountsResponseSchema>> {
    const { user } = listScope(caller, 'accounts.select', '');
    const page = pageOf(request.page);
    const answer = await this.source.query<Listed<AccountRow>[]>(pageQuery(ACCOUNTS, page), [page.pattern]);
    const { rows, total } = listed(answer);
    const owners = may(user, 'accounts.list');
    return { accounts: rows.map((row) => asAccount(row, owners)), total };
  }

  /** For a user who may read the account, and for the devices service, which keeps a copy of names and states. */
  async get(caller: Caller, { id }: { id: string }): Promise<{ account: AccountInit }> {
    const service = caller.kind.case === 'service';
    if (service) requireService(caller, 'devices');
    else requireMay(caller, 'accounts.read', id, `account ${id}`);
    const [row] = isUuid(id) ? await this.source.query<AccountRow[]>(`${SELECT_ACCOUNT} WHERE a.id = $1`, [id]) : [];
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
