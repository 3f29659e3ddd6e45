import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, type Timestamp } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { permissionNames } from '@warren/platform/policy/permission.names';
import { requireMay } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import type { DevicePermission } from '@warren/proto/common/v1/common';
import type { GrantSchema, GrantSubject } from '@warren/proto/tenancy/v1/access';
import { GRANT_LIMITS, grantExpiry, grantNote, grantPermissions, referringGrantFilter } from '@warren/rules/grants';
import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from 'typeorm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { lockAccount } from '../accounts/account.lock.ts';
import { check, invalid } from '../contract/check.ts';
import { accessChanged, grantAudited } from './access.event.ts';
import { countGrants, deleteGrants, lockGrant, lockSubject, type Grant, type ListedGrant } from './access.sql.ts';
import { grantMessage } from './grant.messages.ts';
import { insertGrant, updateGrant } from './grant.store.ts';
import { SavedFilters } from './saved.filters.ts';

/** What a person sets of a grant. */
interface Content {
  permissions: readonly DevicePermission[];
  filter: string;
  expires?: Timestamp | undefined;
  note: string;
}

type Answer = { grant: MessageInitShape<typeof GrantSchema> };
type Subject = Pick<ListedGrant, 'userId' | 'groupId' | 'serviceAccountId' | 'subjectName'>;

const SUBJECTS = { userId: 'user', groupId: 'group', serviceAccountId: 'service account' } as const;

/** Changes the grants of accounts (policy `grants.manage`). */
@Injectable()
export class GrantsService {
  constructor(
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly saved: SavedFilters,
  ) {}

  /**
   * Creates a grant for a user, a group, a service account or everyone of an account.
   * @throws Fault `not_found`, `permission_denied`, `invalid_argument`, `failed_precondition` when there are too many; `unavailable` while a
   *   saved filter that it names is changed
   */
  async create(
    caller: Caller,
    { accountId, subject, content }: { accountId: string; subject?: GrantSubject; content?: Content },
  ): Promise<Answer> {
    const actor = requireMay(caller, 'grants.manage', accountId);
    const checked = contentOf(content);
    return this.outbox.transaction(async (manager, emit) => {
      await lockAccount(manager, accountId, 'change');
      if ((await countGrants(manager, accountId)) >= GRANT_LIMITS.perAccount)
        throw new Fault('failed_precondition', `there are ${GRANT_LIMITS.perAccount} grants: delete one first.`);
      await this.saved.require(accountId, checked.filter);
      const named = await subjectOf(manager, accountId, subject);
      const own = { id: uuidv7(), accountId, source: 'administrator', createdBy: actor.email } as const;
      const row = { ...own, ...checked, ...named };
      await insertGrant(manager, row);
      emit(accessChanged(accountId, actor.userId));
      emit(grantAudited(caller, 'grant.create', { after: row }));
      return { grant: grantMessage({ ...row, created: new Date() }) };
    });
  }

  /** Replaces all but the subject of a grant. @throws Fault as {@link create} */
  async update(
    caller: Caller,
    { accountId, id, content }: { accountId: string; id: string; content?: Content },
  ): Promise<Answer> {
    const actor = requireMay(caller, 'grants.manage', accountId);
    const checked = contentOf(content);
    return this.outbox.transaction(async (manager, emit) => {
      await lockAccount(manager, accountId, 'change');
      const before = await hold(manager, id, accountId);
      if (checked.filter !== before.filter) await this.saved.require(accountId, checked.filter);
      const row = { ...before, ...checked };
      await updateGrant(manager, row);
      if (!isDeepStrictEqual(before, row)) {
        emit(accessChanged(accountId, actor.userId));
        emit(grantAudited(caller, 'grant.change', { before, after: row }));
      }
      return { grant: grantMessage(row) };
    });
  }

  /** Withdraws a grant, and ends what it allowed. @throws Fault `not_found`, `permission_denied` */
  async delete(caller: Caller, { accountId, id }: { accountId: string; id: string }): Promise<Record<string, never>> {
    const actor = requireMay(caller, 'grants.manage', accountId);
    await this.outbox.transaction(async (manager, emit) => {
      await lockAccount(manager, accountId, 'change');
      const row = await hold(manager, id, accountId);
      await deleteGrants(manager, [id]);
      emit(accessChanged(accountId, actor.userId));
      emit(grantAudited(caller, 'grant.withdraw', { before: row }));
    });
    return {};
  }
}

async function hold(manager: EntityManager, id: string, accountId: string): Promise<ListedGrant> {
  const row = isUuid(id) ? await lockGrant(manager, id, accountId) : undefined;
  if (!row) throw new Fault('not_found', `grant ${id.slice(0, 64)}.`);
  return row;
}

function contentOf(content: Content | undefined): Pick<Grant, 'permissions' | 'filter' | 'note' | 'expires'> {
  const { permissions = [], filter = '', note = '', expires } = content ?? {};
  return {
    permissions: check('permissions', grantPermissions, permissionNames(permissions)),
    filter: check('filter', referringGrantFilter, filter),
    note: check('note', grantNote, note),
    expires: expires ? check('expires', grantExpiry, timestampDate(expires)) : null,
  };
}

/** @throws Fault `invalid_argument` for nobody, or for a subject of another account */
async function subjectOf(
  manager: EntityManager,
  accountId: string,
  subject: GrantSubject | undefined,
): Promise<Subject> {
  const { kind } = subject ?? { kind: { case: undefined } };
  const nobody = { userId: null, groupId: null, serviceAccountId: null, subjectName: '' };
  if (kind.case === 'everyone' && kind.value) return nobody;
  if (kind.case === undefined || kind.case === 'everyone')
    throw invalid('subject', 'expected a user, a group, a service account or everyone.');
  const of = SUBJECTS[kind.case];
  const id = kind.value;
  const found = isUuid(id) ? await lockSubject(manager, of, { id, accountId }) : undefined;
  if (!found) throw invalid(of, `expected a ${of} of the account.`, id);
  return { ...nobody, [kind.case]: id, subjectName: found.name };
}
