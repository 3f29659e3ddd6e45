import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { constraintOf } from '@warren/platform/database/database.fault';
import { Fault } from '@warren/platform/errors/fault';
import { auditEvent } from '@warren/platform/audit/audit.event';
import type { Event } from '@warren/platform/events/event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { deviceScope } from '@warren/platform/policy/device.access';
import { requireMay, sightOf } from '@warren/platform/policy/policy';
import type { AuditAction } from '@warren/rules/audit';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { SortOrder } from '@warren/proto/common/v1/common';
import {
  SavedFilterScope,
  type ListSavedFiltersResponseSchema,
  type SavedFilter,
  type SavedFilterSchema,
} from '@warren/proto/devices/v1/filters';
import { deviceText } from '@warren/rules/facts';
import { filterText, SAVED_FILTER_LIMITS, savedColumns, savedFilterName } from '@warren/rules/filter/saved';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { AccountDirectory } from '../accounts/account.directory.ts';
import { check } from '../facts/facts.ts';
import {
  countSaved,
  deleteSaved,
  deleteSavedOf,
  insertSaved,
  lockSaved,
  readSaved,
  updateSaved,
  type SavedRow,
} from './saved.filters.sql.ts';

/** What a person saves. */
const contentSchema = z.object({
  name: savedFilterName,
  filter: filterText,
  // `label:` and a key, as a column.
  sort: deviceText(SAVED_FILTER_LIMITS.column),
  descending: z.boolean(),
  columns: savedColumns,
});
type Content = z.output<typeof contentSchema>;

const INDEXES = ['saved_filters_of_person', 'saved_filters_of_account'];

/** Filters that people save: for themselves, or for everybody in an account (policy `devices.label`). */
@Injectable()
export class SavedFiltersService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly accounts: AccountDirectory,
  ) {}

  /** Lists the caller's own filters and those that an account shares, by name. @throws Fault `not_found` for an account out of sight */
  async list(
    caller: Caller,
    request: { accountId: string },
  ): Promise<MessageInitShape<typeof ListSavedFiltersResponseSchema>> {
    const { userId, accountId: own } = requireUser(caller);
    const { accountId = own } = deviceScope(caller, request.accountId || own);
    const rows = await readSaved(this.source, { userId, accountId });
    return { filters: rows.map(asMessage) };
  }

  /**
   * Adds a filter, or replaces all but scope and account of one.
   * @throws Fault `not_found`, `permission_denied`, `already_exists` for its name, `failed_precondition` when there are too many
   */
  async save(
    caller: Caller,
    request: { filter?: SavedFilter | undefined },
  ): Promise<{ filter: MessageInitShape<typeof SavedFilterSchema> }> {
    const { filter } = request;
    const content = check('filter', contentSchema, {
      ...filter,
      descending: filter?.order === SortOrder.DESC,
    });
    const owner = filter?.id ? undefined : await this.owner(caller, filter);
    const work = this.outbox.transaction(async (manager, emit) => {
      const before = owner ? undefined : await hold(manager, caller, filter?.id ?? '');
      const after = owner
        ? await insert(manager, { ...owner, id: uuidv7(), ...content })
        : await replace(manager, before as SavedRow, content);
      tell(emit, caller, { action: before ? 'filter.change' : 'filter.save', before, after });
      return { filter: asMessage(after) };
    });
    return named(content.name, work);
  }

  /** Deletes an own filter, or one of an account. @throws Fault `not_found`, `permission_denied` */
  async delete(caller: Caller, request: { id: string }): Promise<Record<string, never>> {
    await this.outbox.transaction(async (manager, emit) => {
      const before = await hold(manager, caller, request.id);
      await deleteSaved(manager, before.id);
      tell(emit, caller, { action: 'filter.delete', before, after: undefined });
    });
    return {};
  }

  /** Deletes what a user leaves behind. */
  async forget(userId: string): Promise<void> {
    await deleteSavedOf(this.source, userId);
  }

  /** Whose a new filter becomes: the caller's, or an account's that the caller may label devices of. */
  private async owner(
    caller: Caller,
    filter: SavedFilter | undefined,
  ): Promise<Pick<SavedRow, 'account_id' | 'user_id'>> {
    const { userId, accountId: own } = requireUser(caller);
    if (filter?.scope !== SavedFilterScope.ACCOUNT) {
      deviceScope(caller, own);
      return { account_id: own, user_id: userId };
    }
    const accountId = filter.accountId || own;
    requireMay(caller, 'devices.label', accountId, `account ${accountId}`);
    await this.accounts.get(accountId);
    return { account_id: accountId, user_id: null };
  }
}

async function insert(manager: EntityManager, row: SavedRow): Promise<SavedRow> {
  await requireRoom(manager, row);
  await insertSaved(manager, row);
  return row;
}

async function replace(manager: EntityManager, row: SavedRow, content: Content): Promise<SavedRow> {
  const { name, filter, sort, descending, columns } = content;
  const replaced = { ...row, name, filter, sort, descending, columns };
  await updateSaved(manager, replaced);
  return replaced;
}

/** What an account shares is in the audit trail; what people keep for themselves is theirs. */
function tell(
  emit: (event: Event) => void,
  caller: Caller,
  { action, before, after }: { action: AuditAction; before: SavedRow | undefined; after: SavedRow | undefined },
): void {
  const row = after ?? before;
  if (!row || row.user_id !== null) return;
  const target = { kind: 'filter', id: row.id, name: row.name } as const;
  const states = { before: before && fieldsOf(before), after: after && fieldsOf(after) };
  emit(auditEvent(caller, { action, accountId: row.account_id, target, ...states }));
}

function fieldsOf({ name, filter, sort, descending, columns }: SavedRow): Content {
  return { name, filter, sort, descending, columns };
}

/** Locks a filter that the caller may change. */
async function hold(manager: EntityManager, caller: Caller, id: string): Promise<SavedRow> {
  const { userId } = requireUser(caller);
  const row = isUuid(id) ? await lockSaved(manager, id, { userId, accountId: sightOf(caller) }) : undefined;
  if (!row) throw new Fault('not_found', `filter ${id}.`);
  if (row.user_id === null) requireMay(caller, 'devices.label', row.account_id, `filter ${id}`);
  // An own one stays one's own, also after a change of the account.
  else deviceScope(caller, requireUser(caller).accountId);
  return row;
}

/** Holds for simultaneous requests too. */
async function requireRoom(manager: EntityManager, row: SavedRow): Promise<void> {
  if ((await countSaved(manager, row)) >= SAVED_FILTER_LIMITS.perOwner)
    throw new Fault(
      'failed_precondition',
      `there are ${SAVED_FILTER_LIMITS.perOwner} saved filters: delete one first.`,
    );
}

async function named<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (!INDEXES.includes(constraintOf(cause) ?? '')) throw cause;
    throw new Fault('already_exists', `a saved filter is called ${name} already.`, { cause });
  }
}

function asMessage(row: SavedRow): MessageInitShape<typeof SavedFilterSchema> {
  const shared = row.user_id === null;
  return {
    id: row.id,
    name: row.name,
    filter: row.filter,
    scope: shared ? SavedFilterScope.ACCOUNT : SavedFilterScope.PERSON,
    accountId: shared ? row.account_id : '',
    sort: row.sort,
    order: row.descending ? SortOrder.DESC : SortOrder.ASC,
    columns: row.columns,
  };
}
