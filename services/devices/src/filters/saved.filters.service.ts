import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { constraintOf } from '@warren/platform/database/database.fault';
import { Fault, invalidInput, shownValue } from '@warren/platform/errors/fault';
import { newEvent, type Event } from '@warren/platform/events/event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { deviceScope } from '@warren/platform/policy/device.access';
import { requireMay, sightOf } from '@warren/platform/policy/policy';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { SortOrder, type FilterUse } from '@warren/proto/common/v1/common';
import {
  SavedFilterScope,
  type ListSavedFiltersResponseSchema,
  type SavedFilter,
  type SavedFilterSchema,
} from '@warren/proto/devices/v1/filters';
import { deviceText } from '@warren/rules/facts';
import {
  referringFilterText,
  SAVED_FILTER_LIMITS,
  savedColumns,
  savedFilterKey,
  savedFilterName,
} from '@warren/rules/filter/saved';
import { DataSource, IsNull, type EntityManager } from 'typeorm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { AccountDirectory } from '../accounts/account.directory.ts';
import { check } from '../facts/facts.ts';
import { expandIn, keyOf } from './filter.keys.ts';
import { FilterUses, seenBy, type KeyedFilter } from './filter.uses.ts';
import { filterAudited, type FilterChange } from './saved.filter.audit.ts';
import { SavedFilterEntity } from './saved.filter.entity.ts';
import { changeSaved, lockSaved } from './saved.filters.lock.ts';
import { readSaved } from './saved.filters.ts';

/** What a person saves. */
const contentSchema = z.object({
  name: savedFilterName,
  filter: referringFilterText,
  // `label:` and a key, as a column.
  sort: deviceText(SAVED_FILTER_LIMITS.column),
  descending: z.boolean(),
  columns: savedColumns,
  key: z.union([z.literal(''), savedFilterKey]),
});
type Content = z.output<typeof contentSchema>;

const INDEXES: Readonly<Record<string, 'name' | 'key'>> = {
  saved_filters_of_person: 'name',
  saved_filters_of_account: 'name',
  saved_filters_by_key: 'key',
};

/** Filters that people save: for themselves, or for everybody in an account (policy `devices.label`). */
@Injectable()
export class SavedFiltersService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly accounts: AccountDirectory,
    private readonly uses: FilterUses,
  ) {}

  /**
   * Lists the caller's own filters and those that an account shares, by name.
   * @throws Fault `not_found` for an account out of sight; `unavailable` if what names them is asked for and not known
   */
  async list(
    caller: Caller,
    request: { accountId: string; withUses: boolean },
  ): Promise<MessageInitShape<typeof ListSavedFiltersResponseSchema>> {
    const { userId, accountId: own } = requireUser(caller);
    const { accountId = own } = deviceScope(caller, request.accountId || own);
    const rows = await readSaved(this.source.manager, { userId, accountId });
    const uses = request.withUses ? await this.uses.of(this.source.manager, accountId) : new Map<string, FilterUse[]>();
    return { filters: rows.map((row) => asMessage(row, seenBy(caller, accountId, usesOf(row, uses)))) };
  }

  /**
   * Adds a filter, or replaces all but scope and account of one.
   * @throws Fault `not_found`, `permission_denied`, `already_exists` for its name or key, `failed_precondition` when there are too many, or
   *   for a text that something which names the filter can't have; else as {@link FilterUses.requireChangeable}
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
    const work = changeSaved(this.outbox, async (manager, emit) => {
      const before = owner ? undefined : await hold(manager, caller, filter?.id ?? '');
      const after = owner
        ? await this.insert(manager, caller, { ...owner, id: uuidv7(), ...content })
        : await this.replace(manager, caller, { before: before as SavedFilterEntity, content });
      if (before?.key && before.filter !== after.filter) emit(changed(caller, after));
      tell(emit, caller, { action: before ? 'filter.change' : 'filter.save', before, after });
      return { filter: asMessage(after) };
    });
    return named(content.name, work);
  }

  /**
   * Deletes an own filter, or one of an account that nothing names.
   * @throws Fault `not_found`, `permission_denied`; else as {@link FilterUses.requireNone}
   */
  async delete(caller: Caller, request: { id: string }): Promise<Record<string, never>> {
    await changeSaved(this.outbox, async (manager, emit) => {
      const before = await hold(manager, caller, request.id);
      if (isKeyed(before)) await this.uses.requireNone(manager, caller, before);
      await manager.delete(SavedFilterEntity, { id: before.id, accountId: before.accountId });
      tell(emit, caller, { action: 'filter.delete', before, after: undefined });
    });
    return {};
  }

  /** Deletes what a user leaves behind. */
  async forget(userId: string): Promise<void> {
    await this.source.manager.delete(SavedFilterEntity, { userId });
  }

  private async insert(
    manager: EntityManager,
    caller: Caller,
    row: SavedFilterEntity & Content,
  ): Promise<SavedFilterEntity> {
    await lockSaved(manager, row);
    await requireRoom(manager, row);
    const added = { ...row, key: await keyOf(manager, row, row.key) };
    await this.requireFit(manager, caller, undefined, added);
    await manager.insert(SavedFilterEntity, added);
    return added;
  }

  private async replace(
    manager: EntityManager,
    caller: Caller,
    { before, content: { key, ...content } }: { before: SavedFilterEntity; content: Content },
  ): Promise<SavedFilterEntity> {
    if (key !== '' && key !== before.key)
      throw invalidInput({
        field: 'filter.key',
        message: 'a key never changes: expected none.',
        value: shownValue(key),
      });
    const { id, accountId } = before;
    const changes = { ...content, key: before.key ?? (await keyOf(manager, { ...before, ...content }, '')) };
    const replaced = { ...before, ...changes };
    await this.requireFit(manager, caller, before, replaced);
    await manager.update(SavedFilterEntity, { id, accountId }, changes);
    return replaced;
  }

  /** A key that is new may be named already, where other services were restored from a backup. */
  private async requireFit(
    manager: EntityManager,
    caller: Caller,
    before: SavedFilterEntity | undefined,
    after: SavedFilterEntity,
  ): Promise<void> {
    if (!isKeyed(after)) return;
    await expandIn(manager, after.accountId, after.filter);
    if (before?.key === after.key && before.filter === after.filter) return;
    await this.uses.requireChangeable(manager, caller, after);
  }

  /** Whose a new filter becomes: the caller's, or an account's that the caller may label devices of. */
  private async owner(
    caller: Caller,
    filter: SavedFilter | undefined,
  ): Promise<Pick<SavedFilterEntity, 'accountId' | 'userId'>> {
    const { userId, accountId: own } = requireUser(caller);
    if (filter?.scope !== SavedFilterScope.ACCOUNT) {
      deviceScope(caller, own);
      return { accountId: own, userId };
    }
    const accountId = filter.accountId || own;
    requireMay(caller, 'devices.label', accountId);
    await this.accounts.get(accountId);
    return { accountId, userId: null };
  }
}

function isKeyed(row: SavedFilterEntity): row is KeyedFilter {
  return row.key !== null;
}

function usesOf({ key }: SavedFilterEntity, uses: ReadonlyMap<string, FilterUse[]>): FilterUse[] {
  return key === null ? [] : (uses.get(key) ?? []);
}

/** For services and consoles: what names the filter may find other devices now. The audit event is another one. */
function changed(caller: Caller, { accountId }: SavedFilterEntity): Event {
  const { userId } = requireUser(caller);
  return newEvent({
    accountId,
    actor: userId,
    audited: true,
    kind: { case: 'savedFilterChanged', value: { accountId } },
  });
}

function tell(emit: (event: Event) => void, caller: Caller, change: FilterChange): void {
  const event = filterAudited(caller, change);
  if (event) emit(event);
}

/** Locks a filter that the caller may change. */
async function hold(manager: EntityManager, caller: Caller, id: string): Promise<SavedFilterEntity> {
  const { userId } = requireUser(caller);
  const accountId = sightOf(caller);
  const shared = accountId === undefined ? { id, userId: IsNull() } : { id, userId: IsNull(), accountId };
  const read = () => (isUuid(id) ? manager.findOneBy(SavedFilterEntity, [{ id, userId }, shared]) : null);
  const found = await read();
  if (found) await lockSaved(manager, found);
  // As it is now that nobody else changes it.
  const row = found && (await read());
  if (!row) throw new Fault('not_found', `filter ${id}.`);
  if (row.userId === null) requireMay(caller, 'devices.label', row.accountId, `filter ${id}`);
  // An own one stays one's own, also after a change of the account.
  else deviceScope(caller, requireUser(caller).accountId);
  return row;
}

/** Call it once the filters of the owner are locked. */
async function requireRoom(manager: EntityManager, row: SavedFilterEntity): Promise<void> {
  const { userId, accountId } = row;
  const owner = userId === null ? { userId: IsNull(), accountId } : { userId };
  if ((await manager.countBy(SavedFilterEntity, owner)) >= SAVED_FILTER_LIMITS.perOwner)
    throw new Fault(
      'failed_precondition',
      `there are ${SAVED_FILTER_LIMITS.perOwner} saved filters: delete one first.`,
    );
}

async function named<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    const what = INDEXES[constraintOf(cause) ?? ''];
    if (what === undefined) throw cause;
    const message =
      what === 'key' ? 'a saved filter has that key already.' : `a saved filter is called ${name} already.`;
    throw new Fault('already_exists', message, { cause });
  }
}

function asMessage(row: SavedFilterEntity, uses: FilterUse[] = []): MessageInitShape<typeof SavedFilterSchema> {
  const shared = row.userId === null;
  return {
    id: row.id,
    name: row.name,
    filter: row.filter,
    scope: shared ? SavedFilterScope.ACCOUNT : SavedFilterScope.PERSON,
    accountId: shared ? row.accountId : '',
    sort: row.sort,
    order: row.descending ? SortOrder.DESC : SortOrder.ASC,
    columns: row.columns,
    key: row.key ?? '',
    uses,
  };
}
