import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { requireMay } from '@warren/platform/policy/policy';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import type { RecordingResponseSchema } from '@warren/proto/audit/v1/recordings';
import { holdReason } from '@warren/rules/recordings/settings';
import { DataSource } from 'typeorm';
import { EventStore } from '../../recording/event.store.ts';
import { audited, recordingTarget } from '../audited.ts';
import { deleteLocked, lockOne } from '../keep/deletion.sql.ts';
import { RECORDING_DEFAULTS, type RecordingDefaults } from '../keep/quota.ts';
import { recordingsDropped } from '../telemetry/metrics.ts';
import { recordingMessage } from '../view/recording.message.ts';
import { ViewService } from '../view/view.service.ts';
import { findRecording } from '../view/view.sql.ts';
import { setHold } from './hold.sql.ts';

/** Holds and deletes recordings. */
@Injectable()
export class RecordingManager {
  constructor(
    private readonly source: DataSource,
    private readonly views: ViewService,
    private readonly events: EventStore,
    @Inject(RECORDING_DEFAULTS) private readonly defaults: RecordingDefaults,
  ) {}

  /**
   * Deletes a recording. Whether it is held is decided on the locked row, in the transaction of the deletion.
   * @throws Fault `not_found`; `permission_denied`; `failed_precondition` for one that is held, or live: it had a writer within a day
   */
  async delete(caller: Caller, id: string): Promise<Record<string, never>> {
    const { accountId } = await this.managed(caller, id);
    await this.events.storeFrom(async (manager) => {
      const row = await lockOne(manager, { id, accountId });
      if (!row) throw new Fault('not_found', `recording ${id}.`);
      if (row.heldSince) throw new Fault('failed_precondition', 'the recording is held: release it first.');
      if (row.isLive) throw new Fault('failed_precondition', 'the session is live: end it first.');
      await deleteLocked(manager, accountId, [row]);
      const { deviceId, userEmail, started, stored } = row;
      const details = { device: deviceId, person: userEmail, started: started.toISOString(), bytes: stored };
      return [audited(caller, { action: 'recording.delete', accountId, target: recordingTarget(row), details })];
    });
    recordingsDropped.inc({ reason: 'person' });
    return {};
  }

  /** Holds or releases a recording; again is no change. @throws Fault `not_found`; `permission_denied`; `invalid_argument` */
  async hold(
    caller: Caller,
    { id, held, reason }: { id: string; held: boolean; reason: string },
  ): Promise<MessageInitShape<typeof RecordingResponseSchema>> {
    const { accountId } = await this.managed(caller, id);
    const text = held ? reasonOf(reason) : '';
    await this.events.storeFrom(async (manager) => {
      const row = await lockOne(manager, { id, accountId });
      if (!row) throw new Fault('not_found', `recording ${id}.`);
      if ((row.heldSince !== null) === held) return [];
      const by = held ? requireUser(caller).email : '';
      await setHold(manager, { id, accountId }, { since: held ? new Date() : null, by, reason: text });
      const action = held ? ('recording.hold' as const) : ('recording.release' as const);
      return [audited(caller, { action, accountId, target: recordingTarget(row), reason: text })];
    });
    const row = await findRecording(this.source, id, accountId);
    if (!row) throw new Fault('not_found', `recording ${id}.`);
    return { recording: recordingMessage(row, this.defaults.days) };
  }

  private async managed(caller: Caller, id: string) {
    const row = await this.views.find(caller, id);
    requireMay(caller, 'recordings.manage', row.accountId, `recording ${id}`);
    return row;
  }
}

function reasonOf(reason: string): string {
  const { data, error } = holdReason.safeParse(reason);
  if (data === undefined)
    throw invalidInput({ field: 'reason', message: error?.issues[0]?.message ?? 'expected a reason' });
  return data;
}
