import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { Fault, invalidInput, shownValue } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { deviceScope } from '@warren/platform/policy/device.access';
import { isRestricted, may, requireMay, requireOfToken } from '@warren/platform/policy/policy';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import type { UserCaller } from '@warren/proto/common/v1/common';
import type { BulkAction, BulkJobResponseSchema, ListBulkJobsResponseSchema } from '@warren/proto/devices/v1/bulk';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { AccountDirectory } from '../accounts/account.directory.ts';
import { rightsOf } from '../access/rights.ts';
import { filterIn, scopeOf } from '../access/scope.ts';
import { whereOf } from '../devices/device-list.source.ts';
import { readAccounts } from '../devices/devices.sql.ts';
import { actionScope } from './bulk.rights.ts';
import { bulkJobAudited, bulkJobFinished } from './bulk.event.ts';
import { BulkJobEntity, type BulkActionName } from './bulk.job.entity.ts';
import { MOST_DEVICES, MOST_IDS, MOST_LISTED, MOST_RUNNING } from './bulk.limits.ts';
import { BulkPublisher } from './bulk.publisher.ts';
import { actionOf, asBulkJob, needsLink, permissionOf, type BulkCounts, type BulkFailureRow } from './bulk.row.ts';
import { cancelJob, countDevices, countRunning, deleteSurplus, finishJob, readFailures } from './bulk.sql.ts';
import { selectByIds, selectMatching, type Selection } from './bulk.selection.sql.ts';
import { REASONS } from './bulk.reasons.ts';

interface StartRequest {
  action: BulkAction;
  ids: string[];
  filter: string;
  accountId: string;
  targetAccountId: string;
  atMost: number;
}

type One = Promise<MessageInitShape<typeof BulkJobResponseSchema>>;

/** What people do with bulk jobs. Each action has the permission that it has for one device. */
@Injectable()
export class BulkService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly accounts: AccountDirectory,
    private readonly publisher: BulkPublisher,
  ) {}

  /**
   * Selects devices, and starts an action on them. A device that the caller may not see or change becomes a failure of the job.
   * @throws Fault `permission_denied` where the caller may take the action nowhere, `not_found`, `invalid_argument`,
   *   `failed_precondition`
   */
  async start(caller: Caller, request: StartRequest): One {
    const action = actionOf(request.action);
    if (!action)
      throw invalidInput({ field: 'action', message: 'expected an action.', value: shownValue(request.action) });
    // Without a filter the account is not looked at, but one out of sight is refused as elsewhere.
    const { accountId: allowed, grants: granted } = actionScope(caller, action, request.accountId);
    const sight = scopeOf(caller, request.accountId);
    const target = await this.target(caller, action, request.targetAccountId);
    const user = requireUser(caller);
    const job = {
      id: uuidv7(),
      accountId: user.accountId,
      userId: user.userId,
      userEmail: user.email,
      userName: user.name,
      action,
      ...(await this.selector(request)),
      ...target,
    };
    await this.outbox.transaction(async (manager, emit) => {
      if ((await countRunning(manager, user.accountId)) >= MOST_RUNNING)
        throw new Fault(
          'failed_precondition',
          `${MOST_RUNNING} bulk jobs of your account are running; wait for one to finish, or cancel it.`,
        );
      await deleteSurplus(manager, user.accountId);
      await manager.insert(BulkJobEntity, job);
      await this.select(manager, request, {
        jobId: job.id,
        sight,
        allowed,
        granted,
        needsLink: needsLink(action),
        texts: REASONS,
      });
      const counts = (await countDevices(manager, [job.id])).get(job.id) ?? NONE;
      emit(bulkJobAudited(caller, { job, counts, what: 'start' }));
      // Nothing can be done with any of its devices.
      if (await finishJob(manager, job.id)) emit(bulkJobFinished(job, counts));
    });
    this.publisher.wake();
    return this.get(caller, job);
  }

  /** Lists the caller's jobs, newest first. */
  async list(caller: Caller): Promise<MessageInitShape<typeof ListBulkJobsResponseSchema>> {
    const { userId, accountId } = requireMayRead(caller);
    const rows = await this.source.manager.find(BulkJobEntity, {
      where: { userId, accountId },
      order: { created: 'DESC', id: 'DESC' },
      take: MOST_LISTED,
    });
    const ids = rows.map(({ id }) => id);
    const counts = ids.length > 0 ? await countDevices(this.source, ids) : new Map<string, BulkCounts>();
    return { jobs: rows.map((row) => asBulkJob(row, counts.get(row.id) ?? NONE)) };
  }

  /** @throws Fault `not_found` for a job that is neither the caller's nor one whose action the caller may take in every account */
  async get(caller: Caller, { id }: { id: string }): One {
    const job = await this.visible(caller, id);
    const counts = await countDevices(this.source, [id]);
    return { job: asBulkJob(job, counts.get(id) ?? NONE, await this.failures(caller, id)) };
  }

  /** @throws Fault `not_found` as {@link get}, `failed_precondition` for a job that is over */
  async cancel(caller: Caller, { id }: { id: string }): One {
    const job = await this.visible(caller, id);
    const user = requireUser(caller);
    const { email } = user;
    requireOfToken(user, permissionOf(job.action));
    await this.outbox.transaction(async (manager, emit) => {
      if (!(await cancelJob(manager, id, email))) throw new Fault('failed_precondition', 'the job is over.');
      const counts = (await countDevices(manager, [id])).get(id) ?? NONE;
      emit(bulkJobAudited(caller, { job, counts, what: 'cancel' }));
    });
    return this.get(caller, { id });
  }

  /** Names no device that the caller may not view any more. */
  private async failures(caller: Caller, id: string): Promise<BulkFailureRow[]> {
    const failures = await readFailures(this.source, id);
    const user = requireUser(caller);
    if (!isRestricted(user)) return failures;
    const ids = failures.flatMap(({ devices }) => devices.map((device) => device.id));
    const accounts = await readAccounts(this.source, ids);
    const placed = accounts.map(({ deviceId, accountId }) => ({ id: deviceId, account_id: accountId }));
    const rights = await rightsOf(this.source, user, placed);
    const isSeen = (device: { id: string }) => (rights.get(device.id) ?? []).length > 0;
    return failures.map((failure) => ({ ...failure, devices: failure.devices.filter(isSeen) }));
  }

  private async visible(caller: Caller, id: string): Promise<BulkJobEntity> {
    const user = requireMayRead(caller);
    const { userId, accountId } = user;
    const seen = may(user, 'devices.manage') ? { id } : { id, userId, accountId };
    const job = isUuid(id) ? await this.source.manager.findOneBy(BulkJobEntity, seen) : null;
    const own = job?.userId === userId && job.accountId === accountId;
    if (!job || !(own || may(user, permissionOf(job.action)))) throw new Fault('not_found', `job ${id.slice(0, 64)}.`);
    return job;
  }

  /** What a job says about how its devices were selected. */
  private async selector(request: StartRequest): Promise<Pick<BulkJobEntity, 'filter' | 'filterAccountName'>> {
    if (request.ids.length > 0) return { filter: null, filterAccountName: '' };
    const { name } = request.accountId ? await this.accounts.get(request.accountId) : { name: '' };
    return { filter: request.filter, filterAccountName: name };
  }

  /** Where devices are moved to. @throws Fault as for one device */
  private async target(
    caller: Caller,
    action: BulkActionName,
    id: string,
  ): Promise<Pick<BulkJobEntity, 'targetAccountId' | 'targetAccountName'>> {
    if (action !== 'move') return { targetAccountId: null, targetAccountName: '' };
    if (id === '') throw invalidInput({ field: 'target', message: 'expected the account to move the devices to.' });
    requireMay(caller, permissionOf(action), id);
    const { name, active } = await this.accounts.get(id);
    if (!active)
      throw new Fault('failed_precondition', `${name} takes no new devices.`, { subject: 'Account disabled' });
    return { targetAccountId: id, targetAccountName: name };
  }

  private async select(manager: EntityManager, request: StartRequest, of: Selection): Promise<void> {
    const most = Math.min(request.atMost || MOST_DEVICES, MOST_DEVICES);
    if (request.ids.length > 0) return selectByIds(manager, uniqueIds(request.ids), of);
    const filter = await filterIn(manager, of.sight, request.filter);
    const where = whereOf({ pattern: undefined, ...filter }, of.granted !== undefined);
    const selected = await selectMatching(manager, { ...where, most: most + 1 }, of);
    if (selected === 0)
      throw invalidInput({ field: 'filter', message: 'no device matches it.', value: shownValue(request.filter) });
    if (selected > most)
      throw invalidInput({
        field: 'filter',
        message: `more than ${most} devices match it.`,
        value: shownValue(request.filter),
      });
  }
}

const NONE = { waiting: 0, running: 0, done: 0, failed: 0, cancelled: 0 };

function uniqueIds(ids: readonly string[]): string[] {
  if (ids.length > MOST_IDS)
    throw invalidInput({ field: 'ids', message: `expected at most ${MOST_IDS}.`, value: `${ids.length}` });
  const wrong = ids.find((id) => !isUuid(id));
  if (wrong !== undefined) throw invalidInput({ field: 'ids', message: 'expected ids.', value: shownValue(wrong) });
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}

function requireMayRead(caller: Caller): UserCaller {
  return deviceScope(caller, '').user;
}
