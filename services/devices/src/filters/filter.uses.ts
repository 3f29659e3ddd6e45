import { create } from '@bufbuild/protobuf';
import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { may } from '@warren/platform/policy/policy';
import { requireRecentSignIn } from '@warren/platform/policy/recent.sign-in';
import { requireUser, serviceCaller, type Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { FilterUseKind, FilterUseSchema, type FilterUse } from '@warren/proto/common/v1/common';
import { AlertsService } from '@warren/proto/fleet/v1/alerts';
import { AccessService } from '@warren/proto/tenancy/v1/access';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { RECENT_SIGN_IN_LIMITS } from '@warren/rules/access-requests';
import { expandFilter, savedKeysOf } from '@warren/rules/filter/expand';
import { parseReferring } from '@warren/rules/filter/parse';
import { unfitForGrants } from '@warren/rules/grants';
import type { EntityManager } from 'typeorm';
import type { SavedFilterEntity } from './saved.filter.entity.ts';
import { readShared } from './saved.filters.ts';

const { ALERT_RULE, ALERT_SILENCE, GRANT, SAVED_FILTER } = FilterUseKind;
/** Less than the callers wait. */
const TIMEOUT_MS = 3_000;
/** Uses in an error. */
const MOST_NAMED = 5;

/** A saved filter of an account that others may name. */
export type KeyedFilter = SavedFilterEntity & { key: string };

/** What names the saved filters of accounts: here, in alert rules and silences, and in grants. */
@Injectable()
export class FilterUses {
  constructor(
    @InjectRpc(AlertsService) private readonly alerts: RpcClient<typeof AlertsService>,
    @InjectRpc(AccessService) private readonly access: RpcClient<typeof AccessService>,
    @InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>,
  ) {}

  /** Lists all uses in an account by key. @throws Fault `unavailable` */
  async of(manager: EntityManager, accountId: string): Promise<Map<string, FilterUse[]>> {
    const caller = serviceCaller('devices');
    const [alerts, grants, shared] = await Promise.all([
      this.alerts.listFilterUses(caller, { accountId }, { timeoutMs: TIMEOUT_MS }),
      this.access.listFilterUses(caller, { accountId }, { timeoutMs: TIMEOUT_MS }),
      readShared(manager, accountId),
    ]);
    const saved = shared.map(({ id, name, filter }) =>
      create(FilterUseSchema, { kind: SAVED_FILTER, id, name, filter }),
    );
    const uses = new Map<string, FilterUse[]>();
    for (const use of [...saved, ...alerts.uses, ...grants.uses])
      for (const key of keysIn(use.filter)) uses.set(key, [...(uses.get(key) ?? []), use]);
    return uses;
  }

  /**
   * Requires that nothing names a filter.
   * @throws Fault `failed_precondition` that says what does; `unavailable`
   */
  async requireNone(manager: EntityManager, caller: Caller, { accountId: id, key, name }: KeyedFilter): Promise<void> {
    const uses = (await this.of(manager, id)).get(key) ?? [];
    if (uses.length === 0) return;
    const by = called(uses, caller, id);
    throw new Fault('failed_precondition', `“${name}” is used by ${by}. Remove it there first.`);
  }

  /**
   * Requires that a filter may have another text: all that names it can be decided by it, and who changes what grants find may manage grants.
   * @throws Fault `failed_precondition`, `permission_denied`, `recent_sign_in_required`, `unavailable`
   */
  async requireChangeable(manager: EntityManager, caller: Caller, after: KeyedFilter): Promise<void> {
    const { accountId, key } = after;
    const uses = (await this.of(manager, accountId)).get(key) ?? [];
    if (uses.length === 0) return;
    const grants = uses.filter(({ kind }) => kind === GRANT);
    if (grants.length > 0) await this.requireGrants(caller, after, grants);
    const texts = new Map((await readShared(manager, accountId)).map((row) => [row.key, row.filter]));
    texts.set(key, after.filter);
    for (const use of uses) {
      const problem = problemOf(use, (name) => texts.get(name));
      if (problem === undefined) continue;
      throw new Fault(
        'failed_precondition',
        `in:${key} is used by ${called([use], caller, accountId)}, where this filter is not valid: ${problem}`,
      );
    }
  }

  /** Another text may widen grants, so it takes what it takes to change them. */
  private async requireGrants(caller: Caller, filter: KeyedFilter, grants: readonly FilterUse[]): Promise<void> {
    const { accountId, key } = filter;
    const user = requireUser(caller);
    if (!may(user, 'grants.manage', accountId)) {
      const by = called(grants, caller, accountId);
      const message = `in:${key} is used by ${by}. To change it, you need permission to manage grants (grants.manage).`;
      throw new Fault('permission_denied', message);
    }
    const { recentSignIn } = await this.tenancy.resolveMember(serviceCaller('devices'), { email: user.email });
    // Nothing is known of a person whose address has just changed.
    if (recentSignIn?.grants ?? true) requireRecentSignIn(user, recentSignIn?.minutes || RECENT_SIGN_IN_LIMITS.default);
  }
}

/** The keys of the saved filters that a text names. */
function keysIn(text: string): string[] {
  const parsed = parseReferring(text);
  return parsed.ok ? savedKeysOf(parsed.filter) : [];
}

/** Filters uses to those that a caller may see. */
export function seenBy(caller: Caller, accountId: string, uses: readonly FilterUse[]): FilterUse[] {
  const seesGrants = may(requireUser(caller), 'grants.read', accountId);
  return uses.filter(({ kind }) => kind !== GRANT || seesGrants);
}

function problemOf({ kind, filter }: FilterUse, textOf: (key: string) => string | undefined): string | undefined {
  const parsed = parseReferring(filter);
  if (!parsed.ok) return undefined;
  const expanded = expandFilter(parsed.filter, textOf);
  if (!expanded.ok) return expanded.message;
  return kind === GRANT ? unfitForGrants(expanded.filter) : undefined;
}

const NOUNS = {
  [FilterUseKind.UNSPECIFIED]: 'something',
  [ALERT_RULE]: 'the alert rule',
  [ALERT_SILENCE]: 'the silence',
  [GRANT]: 'the grant for',
  [SAVED_FILTER]: 'the view',
} as const;

/** Names uses for an error; of those that the caller may not see only how many there are. */
function called(uses: readonly FilterUse[], caller: Caller, accountId: string): string {
  const seen = seenBy(caller, accountId, uses);
  const names = seen.slice(0, MOST_NAMED).map(({ kind, name }) => `${NOUNS[kind]} “${name}”`);
  const others = uses.length - names.length;
  if (others > 0)
    names.push(
      names.length === 0 ? `${others} ${others === 1 ? 'other' : 'others'} that you can’t see` : `${others} more`,
    );
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
