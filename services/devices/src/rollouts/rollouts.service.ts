import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { pageOf } from '@warren/platform/database/page';
import { inSnapshot } from '@warren/platform/database/snapshot';
import { Fault, invalidInput, shownValue } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions, type EventfulWork } from '@warren/platform/events/outbox';
import { listScope } from '@warren/platform/policy/policy';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import type { PageRequest, UserCaller } from '@warren/proto/common/v1/common';
import {
  RolloutChange,
  type ListAgentVersionsResponseSchema,
  type ListRolloutDevicesResponseSchema,
  type ListRolloutsResponseSchema,
  type RolloutResponseSchema,
  type RolloutSchema,
} from '@warren/proto/devices/v1/rollouts';
import semver from 'semver';
import { DataSource, In, type EntityManager } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { filterIn, scopeOf } from '../access/scope.ts';
import { AccountDirectory } from '../accounts/account.directory.ts';
import { whereOf } from '../devices/device-list.source.ts';
import { changeRollout, retryDevice } from './rollout.changes.ts';
import { UpdateWindowsService } from '../windows/update.windows.service.ts';
import { RolloutRunner } from './rollout.runner.ts';
import { RolloutEntity } from './rollout.entity.ts';
import { rolloutAudited, type RolloutAudit } from './rollout.audit.ts';
import { asRollout, asRolloutDevice, rolloutChanged, type RolloutRow } from './rollout.row.ts';
import { countRolloutDevices, readDevicesPage } from './rollout.waits.sql.ts';
import { idsOf, waitsOf } from './rollout.waits.ts';
import { countVersions, lockStarts, readRollout, readRollouts } from './rollouts.sql.ts';

type One = Promise<MessageInitShape<typeof RolloutResponseSchema>>;

/** What people do with rollouts. All but `versions` throw Fault `permission_denied` by role (policy `updates.manage`). */
@Injectable()
export class RolloutsService {
  constructor(
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly source: DataSource,
    private readonly accounts: AccountDirectory,
    private readonly runner: RolloutRunner,
    private readonly windows: UpdateWindowsService,
  ) {}

  /**
   * The versions that run on devices that the caller may see, newest first; those that are none come last.
   * @throws Fault `not_found` for an account out of sight
   */
  async versions(
    caller: Caller,
    { accountId }: { accountId: string },
  ): Promise<MessageInitShape<typeof ListAgentVersionsResponseSchema>> {
    const filter = await filterIn(this.source, scopeOf(caller, accountId));
    const versions = await countVersions(this.source, whereOf({ pattern: undefined, ...filter }));
    return { versions: versions.sort((one, other) => newerFirst(one.version, other.version)) };
  }

  async list(
    caller: Caller,
    { page }: { page?: PageRequest },
  ): Promise<MessageInitShape<typeof ListRolloutsResponseSchema>> {
    requireManager(caller);
    const { limit, offset } = pageOf(page);
    const { rows, total } = await inSnapshot(this.source, async (manager) => ({
      rows: await readRollouts(manager, limit, offset),
      total: await manager.count(RolloutEntity),
    }));
    return { rollouts: await this.withWaits(rows), total };
  }

  /**
   * @throws Fault `invalid_argument` for what is no version or share; `not_found` for an unknown account; `failed_precondition` while
   *   another rollout is open for some of the same devices
   */
  async start(caller: Caller, request: { version: string; accountId: string; share: number }): One {
    const actor = requireManager(caller);
    const { version, share } = request;
    const accountId = accountOrAll(request.accountId);
    checkShare(share);
    if (semver.valid(version) !== version)
      throw invalidInput({ field: 'version', message: 'expected one such as 1.2.3.', value: shownValue(version) });
    const account = accountId === null ? undefined : await this.accounts.get(accountId);
    return this.write(async (manager, emit) => {
      await lockStarts(manager);
      await refuseOverlap(manager, accountId);
      const id = uuidv7();
      await manager.insert(RolloutEntity, { id, version, accountId, share, createdBy: actor.name || actor.email });
      emit(rolloutChanged(id, actor.userId));
      const details = { version, share, account: account?.name ?? 'all accounts' };
      emit(rolloutAudited(caller, { id, version, accountId }, { action: 'rollout.start', details }));
      return shown(manager, id);
    });
  }

  /** @throws Fault `not_found`; `failed_precondition` for a smaller share, or when it is over */
  async setShare(caller: Caller, { id, share }: { id: string; share: number }): One {
    requireManager(caller);
    return this.change(caller, id, async (manager, row) => {
      checkShare(share);
      if (!['running', 'paused'].includes(row.state))
        throw new Fault('failed_precondition', 'the rollout is over; begin another one.');
      if (share < row.share)
        throw new Fault('failed_precondition', `the rollout has ${row.share} % already; a share can only be raised.`);
      await manager.update(RolloutEntity, { id }, { share });
      return { action: 'rollout.set_share', before: { share: row.share }, after: { share } };
    });
  }

  /** @throws Fault `not_found`; `failed_precondition` for what its state does not allow */
  async apply(caller: Caller, { id, change }: { id: string; change: RolloutChange }): One {
    requireManager(caller);
    return this.change(caller, id, async (manager, row) => {
      await changeRollout(manager, row, change);
      const details = { change: RolloutChange[change].toLowerCase() };
      return { action: 'rollout.change', details };
    });
  }

  /** @throws Fault `not_found`; `failed_precondition` for a device that neither failed nor waits or is in another rollout, or after a rollback */
  async retry(caller: Caller, { id, deviceId }: { id: string; deviceId: string }): One {
    requireManager(caller);
    return this.retryFor(caller, { id, deviceId });
  }

  /** For somebody whose right to update the device was checked. @throws Fault as {@link retry} */
  retryFor(caller: Caller, { id, deviceId }: { id: string; deviceId: string }): One {
    return this.change(caller, id, async (manager, row) => {
      await retryDevice(manager, row, deviceId);
      return { action: 'rollout.retry_device', details: { device: deviceId } };
    });
  }

  /** Those that failed first, then those that wait for a window. @throws Fault `not_found` */
  async devices(
    caller: Caller,
    { id, page }: { id: string; page?: PageRequest },
  ): Promise<MessageInitShape<typeof ListRolloutDevicesResponseSchema>> {
    requireManager(caller);
    await shown(this.source.manager, id);
    const { limit, offset } = pageOf(page);
    const closed = idsOf(await this.windows.closed());
    const { rows, total } = await inSnapshot(this.source, async (manager) => ({
      rows: await readDevicesPage(manager, { id, closed, limit, offset }),
      total: await countRolloutDevices(manager, id, closed),
    }));
    return { devices: rows.map(asRolloutDevice), total };
  }

  private async withWaits(rows: RolloutRow[]): Promise<MessageInitShape<typeof RolloutSchema>[]> {
    const running = rows.filter(({ state }) => state === 'running').map(({ id }) => id);
    const waits = await waitsOf(this.source.manager, running, running.length > 0 ? await this.windows.closed() : []);
    return rows.map((row) => asRollout(row, waits.get(row.id)));
  }

  private async write(work: EventfulWork<Awaited<One>>): One {
    const done = await this.outbox.transaction(work);
    this.runner.wake();
    return done;
  }

  private async change(
    caller: Caller,
    id: string,
    work: (manager: EntityManager, row: RolloutEntity) => Promise<RolloutAudit>,
  ): One {
    const actor = requireUser(caller);
    return this.write(async (manager, emit) => {
      if (!isUuid(id)) throw notFound(id);
      await lockStarts(manager);
      const row = await manager.findOne(RolloutEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!row) throw notFound(id);
      const audit = await work(manager, row);
      emit(rolloutChanged(id, actor.userId));
      emit(rolloutAudited(caller, row, audit));
      return shown(manager, id);
    });
  }
}

function requireManager(caller: Caller): UserCaller {
  return listScope(caller, 'updates.manage', '').user;
}

function accountOrAll(accountId: string): string | null {
  if (accountId !== '' && !isUuid(accountId)) throw new Fault('not_found', `account ${accountId.slice(0, 64)}.`);
  return accountId || null;
}

function checkShare(share: number): void {
  if (share < 1 || share > 100)
    throw invalidInput({ field: 'share', message: `${share} came, 1 to 100 percent are possible.` });
}

/** @throws Fault `failed_precondition`: two versions at once would take the same devices from each other */
async function refuseOverlap(manager: EntityManager, accountId: string | null): Promise<void> {
  const open = manager.createQueryBuilder(RolloutEntity, 'o').where({ state: In(['running', 'paused']) });
  if (accountId !== null) open.andWhere('(o.accountId IS NULL OR o.accountId = :accountId)', { accountId });
  const other = await open.getOne();
  if (other)
    throw new Fault(
      'failed_precondition',
      `a rollout of version ${other.version} is still open for some of these devices; end it first.`,
    );
}

async function shown(manager: EntityManager, id: string): One {
  const row = isUuid(id) ? await readRollout(manager, id) : undefined;
  if (!row) throw notFound(id);
  return { rollout: asRollout(row) };
}

const notFound = (id: string) => new Fault('not_found', `rollout ${id.slice(0, 64)}.`);

function newerFirst(one: string, other: string): number {
  const [valid, otherValid] = [semver.valid(one), semver.valid(other)];
  if (valid && otherValid) return semver.rcompare(valid, otherValid);
  return Number(Boolean(otherValid)) - Number(Boolean(valid)) || one.localeCompare(other);
}
