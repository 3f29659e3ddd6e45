import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { Fault, invalidInput, shownValue } from '@warren/platform/errors/fault';
import type { Event } from '@warren/platform/events/event';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireMay } from '@warren/platform/policy/policy';
import type { UserCaller } from '@warren/proto/common/v1/common';
import type { Caller } from '@warren/platform/rpc/caller';
import type { AuditAction } from '@warren/rules/audit';
import {
  ActivityKind,
  DeviceFeature,
  HttpHost,
  type DeviceSchema,
  type WebPermission,
} from '@warren/proto/devices/v1/devices';
import { customName, httpAddress, httpPort, vncPort } from '@warren/rules/devices';
import type { EntityManager } from 'typeorm';
import { isDeepStrictEqual } from 'node:util';
import { AccountDirectory } from '../accounts/account.directory.ts';
import { check } from '../facts/facts.ts';
import { calledName, record, type Happening } from '../history/history.ts';
import { DevicesQuota } from '../quotas/devices.quota.ts';
import type { HeldAccount } from '../quotas/quotas.sql.ts';
import { deviceTarget } from '../events/device.audit.ts';
import { deviceChanged, deviceDeleted } from '../events/device.event.ts';
import { deviceAudited } from './device.changes.audit.ts';
import { permissionColumn, type DeviceRow, type SwitchColumn } from './device.row.ts';
import { isOnDevice } from './device-side.address.ts';
import { DEVICE_DOMAIN } from './devices.service.ts';
import { deleteDevice, readOwn, updateDevice } from './devices.sql.ts';
import { deviceMessage, lockVisibleDevices, visibleDevice } from './visible.device.ts';

type Changed = { device: MessageInitShape<typeof DeviceSchema> };

/** The device to change, as the caller identifies it. */
interface Target {
  id: string;
  /** Must match the device's if given. */
  serial?: string;
}

/** A device with its locked row, in the transaction that changes it. */
interface Held {
  row: DeviceRow;
  caller: Caller;
  actor: UserCaller;
  manager: EntityManager;
  emit: (event: Event) => void;
}

const SWITCH: Partial<Record<DeviceFeature, SwitchColumn>> = {
  [DeviceFeature.SSH]: 'ssh_enabled',
  [DeviceFeature.HTTP]: 'http_enabled',
};

const HOST_COLUMN: Partial<Record<HttpHost, DeviceRow['http_host']>> = {
  [HttpHost.LOCAL]: 'local',
  [HttpHost.PUBLIC]: 'public',
};

/**
 * Changes single devices, for users with the right (policy `devices.manage`). A change without effect is no error and emits no
 * event. All throw Fault `permission_denied` by role, and `not_found` for a device that does not exist or has another serial.
 */
@Injectable()
export class DeviceManagementService {
  constructor(
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly accounts: AccountDirectory,
    private readonly quota: DevicesQuota,
    @Inject(DEVICE_DOMAIN) private readonly domain: string,
  ) {}

  /** Turns the console or the web service of a device on or off; its open sessions end when it goes off. */
  setService(
    caller: Caller,
    request: { id: string; serial?: string; feature: DeviceFeature; enabled: boolean },
  ): Promise<Changed> {
    const { feature, enabled } = request;
    return this.change(caller, request, async (held) => {
      const column = SWITCH[feature];
      if (!column)
        throw invalidInput({ field: 'service', message: 'expected ssh or http.', value: shownValue(feature) });
      await update(held, 'device.set_service', { [column]: enabled });
    });
  }

  /** @throws Fault `invalid_argument` also for an address that is not the device's own */
  enableHttp(
    caller: Caller,
    request: {
      id: string;
      serial: string;
      port: number;
      ip: string;
      host?: HttpHost;
      permissions?: { permissions: WebPermission[] };
    },
  ): Promise<Changed> {
    return this.change(caller, request, async (held) => {
      const port = check('port', httpPort, request.port);
      const ip = onDevice(request.ip, held.row);
      const host = HOST_COLUMN[request.host ?? HttpHost.UNSPECIFIED];
      const permissions = request.permissions && permissionColumn(request.permissions.permissions);
      await update(held, 'device.enable_http', {
        http_enabled: true,
        http_port: port,
        http_ip: ip,
        ...(host ? { http_host: host } : {}),
        ...(permissions ? { http_permissions: permissions } : {}),
      });
    });
  }

  /** @throws Fault as {@link enableHttp} */
  setVnc(caller: Caller, request: { id: string; serial: string; port: number; ip: string }): Promise<Changed> {
    return this.change(caller, request, async (held) => {
      const port = check('port', vncPort, request.port);
      await update(held, 'device.set_vnc', { vnc_port: port, vnc_ip: onDevice(request.ip, held.row) });
    });
  }

  /** Sets the display name of a device. */
  rename(caller: Caller, request: { id: string; customName: string }): Promise<Changed> {
    return this.change(caller, request, async (held) => {
      await update(held, 'device.rename', { custom_name: check('custom_name', customName, request.customName) });
    });
  }

  /** @throws Fault `not_found` for an unknown account, `failed_precondition` for a disabled one, `quota_reached` for a full one */
  async move(caller: Caller, request: { id: string; accountId: string }): Promise<Changed> {
    const { id, accountId } = request;
    // First checks whether the caller may move the device, so that probing reveals no accounts.
    await this.outbox.transaction((manager, emit) => this.hold(caller, { id }, { manager, emit }));
    requireMay(caller, 'devices.manage', accountId);
    // Asks tenancy for an account without an event so far.
    await this.accounts.get(accountId);
    return this.outbox.transaction(async (manager, emit) => {
      // Locks the account before the device, in the order of account events.
      const account = requireOpen(await this.quota.hold(manager, accountId), accountId);
      const held = await this.hold(caller, { id }, { manager, emit });
      if (held.row.account_id !== accountId) await this.quota.requireRoom(manager, account, held.row.serial);
      await update(held, 'device.move', { account_id: accountId, account_name: account.name });
      return this.shown(caller, held);
    });
  }

  /** Deletes a device with its key and facts; deleting it twice is `not_found`. */
  delete(caller: Caller, { id }: { id: string }): Promise<Record<string, never>> {
    return this.outbox.transaction(async (manager, emit) => {
      const { row, actor } = await this.hold(caller, { id }, { manager, emit });
      await deleteDevice(manager, row.id);
      await record(manager, [happening(ActivityKind.DELETED, row, actor)]);
      emit(deviceDeleted(row.id, row.account_id, actor.userId));
      const { serial, account_id: accountId } = row;
      emit(auditEvent(caller, { action: 'device.delete', accountId, target: deviceTarget(row), details: { serial } }));
      return {};
    });
  }

  private change(caller: Caller, target: Target, work: (held: Held) => Promise<void>): Promise<Changed> {
    return this.outbox.transaction(async (manager, emit) => {
      const held = await this.hold(caller, target, { manager, emit });
      await work(held);
      return this.shown(caller, held);
    });
  }

  private async shown(caller: Caller, { manager, row: { id } }: Held): Promise<Changed> {
    const row = await readOwn(manager, id);
    if (!row) throw new Error(`Device ${id} is gone while it is locked.`);
    return { device: await deviceMessage(manager, caller, row, this.domain) };
  }

  /** Locks the device's row, so that concurrent changes are serialised. */
  private async hold(caller: Caller, { id, serial }: Target, work: Pick<Held, 'manager' | 'emit'>): Promise<Held> {
    await lockVisibleDevices(work.manager, caller, [id]);
    const row = await visibleDevice(work.manager, caller, id);
    const actor = requireMay(caller, 'devices.manage', row.account_id, `device ${id}`);
    if (serial !== undefined && serial !== row.serial)
      throw new Fault('not_found', `device ${id} with the serial ${serial.slice(0, 128)}.`);
    return { ...work, row, caller, actor };
  }
}

/** @param address empty: 127.0.0.1 */
function onDevice(address: string, { private_ip: own }: DeviceRow): string {
  const ip = check('ipaddr', httpAddress, address || undefined).toLowerCase();
  if (isOnDevice(ip, own)) return ip;
  const or = isOnDevice(own, own) ? `, or its private address ${own}` : '; it has no private address';
  const message = `expected an address on the device: a loopback one, such as 127.0.0.1${or}.`;
  throw invalidInput({ field: 'ipaddr', message, value: shownValue(ip) });
}

/** Requires that the account accepts devices. */
function requireOpen(account: HeldAccount | undefined, id: string): HeldAccount {
  if (!account) throw new Fault('not_found', `account ${id}.`);
  if (!account.active)
    throw new Fault('failed_precondition', `${account.name} takes no new devices.`, { subject: 'Account disabled' });
  return account;
}

/** Writes the columns and emits events, unless all values are unchanged. */
async function update(
  { row, caller, actor, manager, emit }: Held,
  action: AuditAction,
  columns: Partial<DeviceRow>,
): Promise<void> {
  const different = Object.entries(columns).filter(
    ([name, value]) => !isDeepStrictEqual(row[name as keyof DeviceRow], value),
  );
  if (different.length === 0) return;
  await updateDevice(manager, row.id, different);
  const accountId = columns.account_id ?? row.account_id;
  const moved = accountId === row.account_id ? {} : { previousAccountId: row.account_id };
  await record(manager, happeningsOf(row, columns, actor));
  emit(deviceChanged(row.id, accountId, { actor: actor.userId, ...moved }));
  for (const event of deviceAudited(caller, { row, action, columns })) emit(event);
}

function happening(kind: ActivityKind, row: DeviceRow, actor: UserCaller): Happening {
  const deviceName = calledName(row);
  return { kind, deviceId: row.id, accountId: row.account_id, deviceName, actor: actor.name || actor.email };
}

/** Describes a change to people: a new name, what its web service may do, and a move, in both accounts. */
function happeningsOf(row: DeviceRow, columns: Partial<DeviceRow>, actor: UserCaller): Happening[] {
  const name = columns.custom_name;
  const accountId = columns.account_id;
  const permissions = columns.http_permissions;
  return [
    ...(permissions !== undefined && !isDeepStrictEqual(permissions, row.http_permissions)
      ? [{ ...happening(ActivityKind.WEB_PERMISSIONS, row, actor), detail: permissions.join(', ') }]
      : []),
    ...(name !== undefined && name !== calledName(row)
      ? [{ ...happening(ActivityKind.RENAMED, row, actor), detail: name }]
      : []),
    ...(accountId !== undefined && accountId !== row.account_id
      ? [happening(ActivityKind.MOVED_OUT, row, actor), { ...happening(ActivityKind.MOVED_IN, row, actor), accountId }]
      : []),
  ];
}
