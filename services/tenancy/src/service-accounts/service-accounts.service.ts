import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { auditEvent, type AuditCaller, type Audited } from '@warren/platform/audit/audit.event';
import { Fault } from '@warren/platform/errors/fault';
import { newEvent } from '@warren/platform/events/event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { coversRole, isWithinToken, requireMay, serviceAccountPermissions } from '@warren/platform/policy/policy';
import type { Caller, UserCaller } from '@warren/platform/rpc/caller';
import { Role, Status } from '@warren/proto/common/v1/common';
import type { ServiceAccountSchema } from '@warren/proto/tenancy/v1/service_accounts';
import {
  SERVICE_ACCOUNT_LIMITS,
  SERVICE_ACCOUNT_ROLES,
  serviceAccountDescription,
  serviceAccountHandle,
  serviceAccountName,
  type ServiceAccountRole,
} from '@warren/rules/service-accounts';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { serviceAccountMessage } from '../access/grant.messages.ts';
import { lockAccount } from '../accounts/account.lock.ts';
import { check, invalid } from '../contract/check.ts';
import { roleOf, statusOf, type StatusName } from '../contract/enums.ts';
import { userChanged } from '../events/tenancy.event.ts';
import { ServiceAccountEntity } from './service-account.entity.ts';
import {
  countServiceAccounts,
  listServiceAccounts,
  serviceAccount,
  type ServiceAccountRow,
} from './service-accounts.sql.ts';

type Message = MessageInitShape<typeof ServiceAccountSchema>;
type Answer = { serviceAccount: Message };

interface Place {
  accountId: string;
  id: string;
}

/** The service accounts of accounts (policy `service-accounts.manage`). */
@Injectable()
export class ServiceAccountsService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
  ) {}

  /** Lists the service accounts of an account, by name. @throws Fault `not_found`, `permission_denied` */
  async list(caller: Caller, { accountId }: { accountId: string }): Promise<{ serviceAccounts: Message[] }> {
    requireMay(caller, 'service-accounts.read', accountId);
    if (!isUuid(accountId)) throw new Fault('not_found', `account ${accountId}.`);
    const rows = await listServiceAccounts(this.source, accountId);
    return { serviceAccounts: rows.map(message) };
  }

  /** Reads a service account. @throws Fault `not_found`, `permission_denied` */
  async get(caller: Caller, place: Place): Promise<Answer> {
    requireMay(caller, 'service-accounts.read', place.accountId);
    return { serviceAccount: message(await find(this.source.manager, place)) };
  }

  /**
   * Creates a service account.
   * @throws Fault `permission_denied` also for a role that may do what the caller may not; `not_found`, `invalid_argument`;
   *   `failed_precondition` when there are too many
   */
  async create(
    caller: Caller,
    request: { accountId: string; name: string; description: string; role: Role },
  ): Promise<Answer> {
    const { accountId } = request;
    const actor = requireMay(caller, 'service-accounts.manage', accountId);
    const role = roleNameOf(request.role);
    const name = check('name', serviceAccountName, request.name);
    const description = check('description', serviceAccountDescription, request.description);
    return this.outbox.transaction(async (manager, emit) => {
      const { operator } = await lockAccount(manager, accountId, 'change');
      requireGiving(actor, role, operator);
      const { all, named } = await countServiceAccounts(manager, accountId, name);
      if (named > 0) throw invalid('name', 'expected a name that no other service account of the account has.', name);
      if (all >= SERVICE_ACCOUNT_LIMITS.perAccount)
        throw new Fault(
          'failed_precondition',
          `there are ${SERVICE_ACCOUNT_LIMITS.perAccount} service accounts: delete one first.`,
        );
      const id = uuidv7();
      const email = serviceAccountHandle(name, id);
      const made = { id, accountId, name, email, description, role, status: 'Active', createdBy: actor.email } as const;
      await manager.insert(ServiceAccountEntity, made);
      const row = await find(manager, { accountId, id });
      emit(changed(row, actor));
      emit(audited(caller, row, { action: 'service_account.create', after: { name, description, role } }));
      return { serviceAccount: message(row) };
    });
  }

  /**
   * Changes all but the name of a service account. Its next request has the new role; a disabled one loses its tokens for good.
   * @throws Fault as {@link create}
   */
  async update(caller: Caller, request: Place & { description: string; role: Role; status: Status }): Promise<Answer> {
    const { accountId } = request;
    const actor = requireMay(caller, 'service-accounts.manage', accountId);
    const after: Pick<ServiceAccountEntity, 'description' | 'role' | 'status'> = {
      description: check('description', serviceAccountDescription, request.description),
      role: roleNameOf(request.role),
      status: statusNameOf(request.status),
    };
    return this.outbox.transaction(async (manager, emit) => {
      const { operator } = await lockAccount(manager, accountId, 'change');
      const row = await find(manager, request);
      requireCover(actor, row.role, operator);
      if (after.role !== row.role) requireGiving(actor, after.role, operator);
      const changedRow = { ...row, ...after };
      const { description, role, status } = row;
      if (description === after.description && role === after.role && status === after.status)
        return { serviceAccount: message(row) };
      await manager.update(ServiceAccountEntity, { id: row.id, accountId }, after);
      emit(changed(changedRow, actor));
      const action =
        status === after.status
          ? 'service_account.change'
          : after.status === 'Active'
            ? 'service_account.enable'
            : 'service_account.disable';
      emit(audited(caller, row, { action, before: { description, role, status }, after: { ...after } }));
      return { serviceAccount: message(changedRow) };
    });
  }

  /** Deletes a service account with its tokens and grants. @throws Fault `not_found`, `permission_denied` */
  async delete(caller: Caller, place: Place): Promise<Record<string, never>> {
    const { accountId } = place;
    const actor = requireMay(caller, 'service-accounts.manage', accountId);
    await this.outbox.transaction(async (manager, emit) => {
      const { operator } = await lockAccount(manager, accountId, 'change');
      const row = await find(manager, place);
      requireCover(actor, row.role, operator);
      await manager.delete(ServiceAccountEntity, { id: row.id, accountId });
      const value = { userId: row.id, email: row.email };
      emit(newEvent({ accountId, actor: actor.userId, kind: { case: 'userDeleted', value } }));
      emit(audited(caller, row, { action: 'service_account.delete', details: { role: row.role } }));
    });
    return {};
  }
}

/** @throws Fault `permission_denied` for a role that may do what the caller may not */
function requireCover(user: UserCaller, role: ServiceAccountRole, operator: boolean): void {
  if (!coversRole(user, { role: roleOf(role), operator }))
    throw new Fault('permission_denied', `a service account with the role ${role} may do what you may not.`);
}

/** Requires besides that an API token has all that the role can give: a wider role would widen the tokens of the service account. */
function requireGiving(user: UserCaller, role: ServiceAccountRole, operator: boolean): void {
  requireCover(user, role, operator);
  const missing = serviceAccountPermissions({ role: roleOf(role), operator }).find((one) => !isWithinToken(user, one));
  if (user.token && missing !== undefined)
    throw new Fault('permission_denied', `this token can’t assign the role ${role}: it lacks ${missing}.`);
}

async function find(manager: EntityManager, { accountId, id }: Place): Promise<ServiceAccountRow> {
  const known = isUuid(id) && isUuid(accountId);
  const row = known ? await serviceAccount(manager, { id, accountId }) : undefined;
  if (!row) throw new Fault('not_found', `service account ${id.slice(0, 64)}.`);
  return row;
}

function roleNameOf(role: Role): ServiceAccountRole {
  const name = SERVICE_ACCOUNT_ROLES.find((one) => roleOf(one) === role);
  if (!name) throw invalid('role', `expected ${SERVICE_ACCOUNT_ROLES.join(' or ')}.`, Role[role]);
  return name;
}

function statusNameOf(status: Status): StatusName {
  if (status === Status.UNSPECIFIED) throw invalid('status', 'expected Active or Inactive.');
  return status === Status.ACTIVE ? 'Active' : 'Inactive';
}

/** Services treat a service account as a user: disabled, its tokens and sockets end. */
function changed({ id, account_id: accountId, email, status }: ServiceAccountRow, { userId }: UserCaller) {
  return { ...userChanged({ id, accountId, email, status }), actor: userId };
}

function audited(caller: AuditCaller, row: ServiceAccountRow, what: Omit<Audited, 'accountId' | 'target'>) {
  const target = { kind: 'service_account', id: row.id, name: row.name } as const;
  return auditEvent(caller, { ...what, accountId: row.account_id, target });
}

function message(row: ServiceAccountRow): Message {
  const { user } = serviceAccountMessage(row);
  const { description, created, created_by: createdBy } = row;
  return {
    ...(user && { subject: user }),
    description,
    status: statusOf(row.status),
    created: timestampFromDate(created),
    createdBy,
  };
}
