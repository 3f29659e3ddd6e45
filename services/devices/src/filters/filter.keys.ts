import { Fault, invalidInput, shownValue } from '@warren/platform/errors/fault';
import type { Sql } from '@warren/platform/database/sql';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import { expandFilter, savedKeysOf } from '@warren/rules/filter/expand';
import { savedKeyOf } from '@warren/rules/filter/saved.key';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { requireReferring } from './device.filter.ts';
import type { SavedFilterEntity } from './saved.filter.entity.ts';
import { BeingChanged } from './saved.filters.lock.ts';
import { readKeyed, tryKeep } from './saved.filters.sql.ts';
import { readShared } from './saved.filters.ts';

/** Expands the saved filters that filters of other services name. */
@Injectable()
export class FilterExpansion {
  constructor(private readonly source: DataSource) {}

  /**
   * Expands the saved filters of an account that a filter names. Fleet and tenancy only, which have begun to keep the filter and hold
   * what their answer to `ListFilterUses` waits for: so either a change sees their filter, or it is refused here while the change is made.
   * @throws Fault `invalid_argument`; `unavailable` while filters of the account are changed
   */
  async expand(
    caller: Caller,
    { accountId, filter }: { accountId: string; filter: string },
  ): Promise<{ filter: string }> {
    requireService(caller, 'fleet', 'tenancy');
    if (!isUuid(accountId)) throw new Fault('not_found', `account ${accountId}.`);
    return this.source.transaction(async (manager) => {
      if (await tryKeep(manager, accountId)) return { filter: await expandIn(manager, accountId, filter) };
      throw new BeingChanged();
    });
  }
}

/**
 * Expands the saved filters of an account that a filter names.
 * @throws Fault `invalid_argument` for a saved filter that is not there, or can't be named
 */
export async function expandIn(sql: Sql, accountId: string, text: string): Promise<string> {
  const filter = requireReferring(text, 'filter');
  const keys = savedKeysOf(filter);
  if (keys.length === 0) return text;
  const texts = new Map((await readKeyed(sql, keys, [accountId])).map((row) => [row.key, row.filter]));
  const whole = expandFilter(filter, (key) => texts.get(key));
  if (whole.ok) return whole.text;
  throw invalidInput({ field: 'filter', message: whole.message, value: shownValue(text) });
}

/** Returns the key of a filter that an account shares: its present one, the one that was asked for, or one made of its name. */
export async function keyOf(manager: EntityManager, row: SavedFilterEntity, asked: string): Promise<string | null> {
  if (row.userId !== null) return null;
  if (asked !== '') return asked;
  const taken = new Set((await readShared(manager, row.accountId)).map(({ key }) => key));
  for (let place = 1; ; place++) {
    const key = savedKeyOf(row.name, place);
    if (!taken.has(key)) return key;
  }
}
