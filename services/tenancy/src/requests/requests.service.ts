import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { pageOf } from '@warren/platform/database/page';
import { Fault } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { permissionNames } from '@warren/platform/policy/permission.names';
import { may, requireMay } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import type { DevicePermission, PageRequest } from '@warren/proto/common/v1/common';
import type { AccessRequestResponseSchema, ListAccessRequestsResponseSchema } from '@warren/proto/tenancy/v1/requests';
import { ACCESS_REQUEST_LIMITS, requestMinutes, requestReason } from '@warren/rules/access-requests';
import { grantFilter, grantPermissions } from '@warren/rules/grants';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { lockAccount } from '../accounts/account.lock.ts';
import { check, invalid } from '../contract/check.ts';
import { enqueueAsked } from './mails.sql.ts';
import { requestAudited, requestChanged } from './request.event.ts';
import { AccessRequestEntity } from './request.entity.ts';
import { requestMessage } from './request.messages.ts';
import {
  countOpen,
  countToDecide,
  isActiveUser,
  lockRequest,
  requestsPage,
  type ListedRequest,
} from './requests.sql.ts';
import { approversAmong, rulesOf, type ListedRules } from './rules.sql.ts';

type Answer = MessageInitShape<typeof AccessRequestResponseSchema>;
type Listing = MessageInitShape<typeof ListAccessRequestsResponseSchema>;

/** What a person asks for. */
interface Wanted {
  accountId: string;
  permissions: readonly DevicePermission[];
  filter: string;
  deviceId: string;
  deviceName: string;
  reason: string;
  minutes: number;
}

const { openPerPerson, openPerAccount, dailyPerPerson, hours } = ACCESS_REQUEST_LIMITS;
/** By the clock of the database. */
const IN_HOURS = () => `now() + interval '${hours} hours'`;

/** Requests of people for access to devices: listing, creating and withdrawing them. */
@Injectable()
export class AccessRequestsService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
  ) {}

  /** Lists all requests of an account to approvers and readers of its grants, to others their own. @throws Fault `not_found`, `permission_denied` */
  async list(
    caller: Caller,
    { accountId, open, page }: { accountId: string; open: boolean; page?: PageRequest },
  ): Promise<Listing> {
    const user = requireMay(caller, 'accounts.read', accountId);
    if (!isUuid(accountId)) throw new Fault('not_found', `account ${accountId}.`);
    const decides = !user.token && (await this.isApprover(caller, accountId));
    const seesAll = decides || may(user, 'grants.read', accountId);
    const of = { accountId, open, userId: seesAll ? undefined : user.userId };
    const [{ rows, total }, toDecide] = await Promise.all([
      requestsPage(this.source, of, pageOf(page)),
      decides ? countToDecide(this.source, accountId, user.userId) : 0,
    ]);
    const requests = rows.map((row) => requestMessage(row, decides && isUndecided(row, user.userId)));
    return { requests, total, toDecide };
  }

  /**
   * Asks for access, and mails the approvers.
   * @throws Fault `not_found`, `permission_denied`, `invalid_argument`; `failed_precondition` if the account takes no requests, or too many
   *   are open; `resource_exhausted` for too many in a day
   */
  async create(caller: Caller, { accountId, ...wanted }: Wanted): Promise<Answer> {
    const user = requireMay(caller, 'requests.create', accountId);
    const content = checked(wanted);
    return this.outbox.transaction(async (manager, emit) => {
      await lockAccount(manager, accountId, 'change');
      const rules = await rulesOf(manager, accountId);
      requireAllowed(rules, content.minutes);
      if (!(await isActiveUser(manager, user.userId, accountId)))
        throw new Fault('permission_denied', 'only active people of the account may ask.');
      await requireRoom(manager, accountId, user.userId);
      const needed = approvalsNeeded(rules);
      const own = { id: uuidv7(), accountId, userId: user.userId, approvalsNeeded: needed };
      await manager.insert(AccessRequestEntity, { ...own, ...content, expires: IN_HOURS });
      await enqueueAsked(manager, { accountId, rules, requestId: own.id });
      const row = await hold(manager, own.id, accountId);
      emit(requestChanged(row, user.userId));
      emit(requestAudited(caller, 'access_request.create', row));
      return { request: requestMessage(row, false) };
    });
  }

  /** Withdraws one's own open request. @throws Fault `not_found`, `permission_denied`; `failed_precondition` if it has ended */
  async withdraw(caller: Caller, { accountId, id }: { accountId: string; id: string }): Promise<Answer> {
    const user = requireMay(caller, 'requests.create', accountId);
    return this.outbox.transaction(async (manager, emit) => {
      await lockAccount(manager, accountId, 'change');
      const row = await hold(manager, id, accountId);
      if (row.userId !== user.userId) throw new Fault('not_found', `access request ${id}.`);
      requireOpen(row);
      await manager.update(AccessRequestEntity, { id, accountId }, { state: 'withdrawn', ended: () => 'now()' });
      emit(requestChanged(row, user.userId));
      emit(requestAudited(caller, 'access_request.withdraw', row));
      return { request: requestMessage({ ...row, state: 'withdrawn', ended: new Date() }, false) };
    });
  }

  private async isApprover(caller: Caller, accountId: string): Promise<boolean> {
    const user = requireMay(caller, 'accounts.read', accountId);
    if (!may(user, 'requests.decide', accountId)) return false;
    const rules = await rulesOf(this.source, accountId);
    return (await approversAmong(this.source, { accountId, rules, userIds: [user.userId] })).size > 0;
  }
}

/** How many people have to approve. */
export function approvalsNeeded({ second_approver: second }: ListedRules): number {
  return second ? 2 : 1;
}

/** @throws Fault `not_found` */
export async function hold(manager: EntityManager, id: string, accountId: string): Promise<ListedRequest> {
  const row = isUuid(id) ? await lockRequest(manager, id, accountId) : undefined;
  if (!row) throw new Fault('not_found', `access request ${id.slice(0, 64)}.`);
  return row;
}

/** @throws Fault `failed_precondition` for a request that has ended, or expires now */
export function requireOpen({ state, expires, decisions }: ListedRequest): void {
  if (state === 'open' && expires.getTime() > Date.now()) return;
  const by = decisions?.at(-1)?.name;
  const how = state === 'open' ? 'expired' : state;
  const who = by !== undefined && (how === 'approved' || how === 'denied') ? ` by ${by}` : '';
  throw new Fault('failed_precondition', `this request was ${how}${who} already.`, { subject: 'Access request' });
}

/** @throws Fault `failed_precondition` if the account takes no requests; `invalid_argument` for a time beyond its maximum */
export function requireAllowed({ requests, longest_minutes: longest }: ListedRules, minutes: number): void {
  if (!requests) throw new Fault('failed_precondition', 'this account takes no access requests.');
  if (minutes > longest)
    throw invalid('minutes', `expected at most ${longest} minutes, as the account allows.`, minutes);
}

/** Whether an approver may decide about an open request: not their own, and once. */
function isUndecided({ state, userId: requester, decisions }: ListedRequest, userId: string): boolean {
  const decided = (decisions ?? []).some((one) => one.userId === userId);
  return state === 'open' && requester !== userId && !decided;
}

async function requireRoom(manager: EntityManager, accountId: string, userId: string): Promise<void> {
  const { account, person, daily } = await countOpen(manager, accountId, userId);
  if (person >= openPerPerson)
    throw new Fault('failed_precondition', `you have ${openPerPerson} open requests: withdraw one first.`);
  if (account >= openPerAccount)
    throw new Fault('failed_precondition', `the account has ${openPerAccount} open requests: wait for decisions.`);
  if (daily >= dailyPerPerson)
    throw new Fault(
      'resource_exhausted',
      `${dailyPerPerson} requests of yours in 24 hours; ask your approvers directly.`,
    );
}

function checked({ permissions, filter, deviceId, deviceName, reason, minutes }: Omit<Wanted, 'accountId'>) {
  return {
    permissions: check('permissions', grantPermissions, permissionNames(permissions)),
    filter: check('filter', grantFilter, filter),
    deviceId: isUuid(deviceId) ? deviceId : null,
    deviceName: deviceName.slice(0, 200),
    reason: check('reason', requestReason, reason),
    minutes: check('minutes', requestMinutes, minutes),
  };
}
