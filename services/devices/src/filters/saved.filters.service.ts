import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { constraintOf } from '@warren/platform/database/database.fault';
import { Fault } from '@warren/platform/errors/fault';
import { newEvent, type Event } from '@warren/platform/events/event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { listScope, requireMay, sightOf } from '@warren/platform/policy/policy';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { SortOrder, type UserCaller } from '@warren/proto/common/v1/common';
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
  nameOfAccount,
  readSaved,
  updateSaved,
  type SavedRow,
} from './saved.filters.sql.ts';

/** What a person saves. */
const contentSchema = z.object({
  name: savedFilterName,
  filter: filterText,
  sort: deviceText(SAVED_FILTER_LIMITS.name),
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
    const { accountId = own } = listScope(caller, 'accounts.read', request.accountId || own);
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
    const added = filter?.id ? undefined : await this.owner(caller, filter);
    const work = this.outbox.transaction(async (manager, emit) => {
      const { row, actor } = added
        ? { ...added, row: await insert(manager, { ...added.owner, id: uuidv7(), ...content }) }
        : await replace(manager, caller, { id: filter?.id ?? '', content });
      await tell(manager, emit, { row, actor, change: `${row.name} = ${row.filter || 'all devices'}` });
      return { filter: asMessage(row) };
    });
    return named(content.name, work);
  }

  /** Deletes an own filter, or one of an account. @throws Fault `not_found`, `permission_denied` */
  async delete(caller: Caller, request: { id: string }): Promise<Record<string, never>> {
    await this.outbox.transaction(async (manager, emit) => {
      const { row, actor } = await hold(manager, caller, request.id);
      await deleteSaved(manager, row.id);
      await tell(manager, emit, { row, actor, change: `deleted ${row.name}` });
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
  ): Promise<{ owner: Pick<SavedRow, 'account_id' | 'user_id'>; actor: UserCaller }> {
    const { userId, accountId: own } = requireUser(caller);
    if (filter?.scope !== SavedFilterScope.ACCOUNT) {
      const actor = requireMay(caller, 'accounts.read', own, `account ${own}`);
      return { owner: { account_id: own, user_id: userId }, actor };
    }
    const accountId = filter.accountId || own;
    const actor = requireMay(caller, 'devices.label', accountId, `account ${accountId}`);
    await this.accounts.get(accountId);
    return { owner: { account_id: accountId, user_id: null }, actor };
  }
}

async function insert(manager: EntityManager, row: SavedRow): Promise<SavedRow> {
  await requireRoom(manager, row);
  await insertSaved(manager, row);
  return row;
}

async function replace(
  manager: EntityManager,
  caller: Caller,
  { id, content }: { id: string; content: Content },
): Promise<{ row: SavedRow; actor: UserCaller }> {
  const { row, actor } = await hold(manager, caller, id);
  const { name, filter, sort, descending, columns } = content;
  const replaced = { ...row, name, filter, sort, descending, columns };
  await updateSaved(manager, replaced);
  return { row: replaced, actor };
}

/** What an account shares is in the audit trail; what people keep for themselves is theirs. */
async function tell(
  manager: EntityManager,
  emit: (event: Event) => void,
  { row, actor, change }: { row: SavedRow; actor: UserCaller; change: string },
): Promise<void> {
  if (row.user_id !== null) return;
  const accountId = row.account_id;
  const accountName = (await nameOfAccount(manager, accountId)) ?? accountId;
  const value = { accountId, accountName, by: actor.email, change };
  emit(newEvent({ accountId, actor: actor.userId, kind: { case: 'savedFilterChanged', value } }));
}

/** Locks a filter that the caller may change. */
async function hold(manager: EntityManager, caller: Caller, id: string): Promise<{ row: SavedRow; actor: UserCaller }> {
  const { userId } = requireUser(caller);
  const row = isUuid(id) ? await lockSaved(manager, id, { userId, accountId: sightOf(caller) }) : undefined;
  if (!row) throw new Fault('not_found', `filter ${id}.`);
  const action = row.user_id === null ? 'devices.label' : 'accounts.read';
  // An own one stays one's own, also after a change of the account.
  const account = row.user_id === null ? row.account_id : requireUser(caller).accountId;
  return { row, actor: requireMay(caller, action, account, `filter ${id}`) };
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
