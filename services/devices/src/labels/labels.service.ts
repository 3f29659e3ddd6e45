import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { Fault, invalidInput, shownValue } from '@warren/platform/errors/fault';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { isRestricted, listScope, requireMay, sightOf } from '@warren/platform/policy/policy';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import type { UserCaller } from '@warren/proto/common/v1/common';
import {
  ActivityKind,
  type DeviceSchema,
  type LabelDevicesResponseSchema,
  type ListLabelsResponseSchema,
} from '@warren/proto/devices/v1/devices';
import {
  formatLabels,
  labelKey,
  labels as labelsSchema,
  notes as notesSchema,
  type Labels,
} from '@warren/rules/labels';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { filterIn, scopeOf } from '../access/scope.ts';
import { whereOf } from '../devices/device-list.source.ts';
import { DEVICE_DOMAIN } from '../devices/devices.service.ts';
import { deviceMessage, lockVisibleDevices, visibleDevice } from '../devices/visible.device.ts';
import { deviceTarget } from '../events/device.audit.ts';
import { deviceChanged, devicesChanged } from '../events/device.event.ts';
import { check } from '../facts/facts.ts';
import { compileFilter, onlyOf } from '../filters/device.filter.ts';
import { requireDecidable } from '../filters/saved.terms.ts';
import { calledName, record } from '../history/history.ts';
import { labelsAudited, MOST_AUDITED } from './labels.audit.ts';
import {
  countLabels,
  findOverfull,
  lockDevices,
  lockMatching,
  readLabels,
  writeLabels,
  writeNotes,
  type LabelledDevice,
} from './labels.sql.ts';

const MOST_IDS = 1_000;
/** In one transaction. */
const MOST_DEVICES = 50_000;

interface LabelRequest {
  ids: string[];
  accountId: string;
  filter: string;
  set: Record<string, string>;
  remove: string[];
}

const removedKeys = z.array(labelKey).max(MOST_IDS);

/** Labels of devices and notes on them (policy `devices.label`). */
@Injectable()
export class LabelsService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    @Inject(DEVICE_DOMAIN) private readonly domain: string,
  ) {}

  /**
   * Sets and removes labels of devices: of all of them or, after a Fault, of none.
   * @throws Fault `not_found` for a device that the caller may not see, `permission_denied`, `invalid_argument`
   */
  async label(caller: Caller, request: LabelRequest): Promise<MessageInitShape<typeof LabelDevicesResponseSchema>> {
    const set = check('set', labelsSchema, request.set);
    const remove = check('remove', removedKeys, request.remove).filter((key) => !Object.hasOwn(set, key));
    return this.outbox.transaction(async (manager, emit) => {
      const { devices, actor } = await this.hold(manager, caller, request);
      const ids = devices.map(({ id }) => id);
      const before = devices.length <= MOST_AUDITED ? await readLabels(manager, ids) : undefined;
      const changed = await writeLabels(manager, ids, { set, remove });
      const overfull = await findOverfull(manager, ids);
      if (overfull !== undefined) throw tooMany(devices.find(({ id }) => id === overfull));
      const different = devices.filter(({ id }) => changed.has(id));
      await this.tell(manager, different, { actor, detail: detailOf(set, remove) });
      for (const event of devicesChanged(different, actor.userId)) emit(event);
      for (const event of labelsAudited(caller, different, { set, remove, before })) emit(event);
      return { changed: different.length };
    });
  }

  /** Lists the labels of an account or (with an empty `accountId`) of all that the caller may see, with the devices of each. */
  async list(
    caller: Caller,
    request: { accountId: string },
  ): Promise<MessageInitShape<typeof ListLabelsResponseSchema>> {
    const filter = await filterIn(this.source, scopeOf(caller, request.accountId));
    const rows = await countLabels(this.source, whereOf({ pattern: undefined, ...filter }), filter.accountId);
    const keys = [...Map.groupBy(rows, ({ key }) => key)];
    return {
      keys: keys.map(([key, values]) => ({
        key,
        count: values[0]?.key_count ?? 0,
        values: values.map(({ value, count }) => ({ value, count })),
      })),
    };
  }

  /** Replaces the notes on a device. @throws Fault `not_found`, `permission_denied` */
  setNotes(
    caller: Caller,
    request: { id: string; notes: string },
  ): Promise<{ device: MessageInitShape<typeof DeviceSchema> }> {
    const notes = check('notes', notesSchema, request.notes);
    return this.outbox.transaction(async (manager, emit) => {
      await lockVisibleDevices(manager, caller, [request.id]);
      const row = await visibleDevice(manager, caller, request.id);
      const actor = requireMay(caller, 'devices.label', row.account_id, `device ${row.id}`);
      if (notes !== row.notes) {
        await writeNotes(manager, row.id, notes);
        emit(deviceChanged(row.id, row.account_id, { actor: actor.userId }));
        emit(
          auditEvent(caller, {
            action: 'device.set_notes',
            accountId: row.account_id,
            target: deviceTarget(row),
            before: { notes: row.notes },
            after: { notes },
          }),
        );
      }
      return { device: await deviceMessage(manager, caller, { ...row, notes }, this.domain) };
    });
  }

  /** Locks the devices of a request, all of which the caller may label. */
  private async hold(
    manager: EntityManager,
    caller: Caller,
    request: LabelRequest,
  ): Promise<{ devices: LabelledDevice[]; actor: UserCaller }> {
    if (request.ids.length === 0) return this.holdMatching(manager, caller, request);
    // Devices that grants let somebody see may not be labelled by a role that labels none.
    if (isRestricted(requireUser(caller))) listScope(caller, 'devices.label', '');
    if (request.ids.length > MOST_IDS)
      throw invalidInput({ field: 'ids', message: `expected at most ${MOST_IDS}.`, value: `${request.ids.length}` });
    const ids = [...new Set(request.ids)];
    const devices = await lockDevices(
      manager,
      ids.filter((id) => isUuid(id)),
      sightOf(caller),
    );
    const found = new Set(devices.map(({ id }) => id));
    const missing = ids.find((id) => !found.has(id));
    if (missing !== undefined) throw new Fault('not_found', `device ${missing}.`);
    const actors = devices.map((device) =>
      requireMay(caller, 'devices.label', device.account_id, `device ${device.id}`),
    );
    const [actor] = actors;
    if (!actor) throw new Error('No device is held.');
    return { devices, actor };
  }

  private async holdMatching(manager: EntityManager, caller: Caller, request: LabelRequest) {
    const { user: actor, accountId } = listScope(caller, 'devices.label', request.accountId);
    const values: unknown[] = [];
    const filter = await requireDecidable(manager, request.filter, { accountId });
    const compiled = await compileFilter(manager, filter, { accountIds: onlyOf(accountId), values });
    const where = whereOf({ accountId, pattern: undefined, condition: { ...compiled, values } });
    const devices = await lockMatching(manager, { ...where, most: MOST_DEVICES + 1 });
    if (devices.length > MOST_DEVICES)
      throw invalidInput({
        field: 'filter',
        message: `holds for more than ${MOST_DEVICES} devices: narrow it.`,
        value: shownValue(request.filter),
      });
    return { devices, actor };
  }

  private async tell(
    manager: EntityManager,
    devices: readonly LabelledDevice[],
    { actor, detail }: { actor: UserCaller; detail: string },
  ): Promise<void> {
    await record(
      manager,
      devices.map((device) => ({
        kind: ActivityKind.LABELLED,
        deviceId: device.id,
        accountId: device.account_id,
        deviceName: calledName(device),
        detail,
        actor: actor.name || actor.email,
      })),
    );
  }
}

/** `site=north, -ring`: at most 200 characters. */
function detailOf(set: Labels, remove: readonly string[]): string {
  const parts = [
    ...(Object.keys(set).length > 0 ? formatLabels(set).split(',') : []),
    ...remove.map((key) => `-${key}`),
  ];
  const text = parts.join(', ');
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

function tooMany(device: LabelledDevice | undefined): Fault {
  const name = device ? calledName(device) : 'A device';
  return invalidInput({ field: 'set', message: `${name} would have more than 32 labels.` });
}
