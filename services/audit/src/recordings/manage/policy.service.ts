import type { MessageInitShape } from '@bufbuild/protobuf';
import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import {
  RecordingKind,
  RecordingPolicy,
  type GetRecordingPolicyRequest,
  type GetRecordingPolicyResponseSchema,
} from '@warren/proto/audit/v1/recordings';
import { MatchingService } from '@warren/proto/devices/v1/matching';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { SYSTEM } from '../audited.ts';
import { settingsOf } from '../keep/usage.sql.ts';
import { RecordingSettingsService } from './settings.service.ts';

const TIMEOUT_MS = 3_000;

/** Says whether sessions of a device are recorded. */
@Injectable()
export class RecordingPolicyService {
  constructor(
    private readonly source: DataSource,
    private readonly settings: RecordingSettingsService,
    @InjectRpc(MatchingService) private readonly matching: RpcClient<typeof MatchingService>,
  ) {}

  /**
   * Between services. A device counts as one of the filter while the devices service doesn't answer, or can't decide it: rather too much is recorded.
   * @throws Fault `permission_denied` for others than services; `not_found`
   */
  async get(
    caller: Caller,
    { accountId, deviceId, kind }: Omit<GetRecordingPolicyRequest, '$typeName'>,
  ): Promise<MessageInitShape<typeof GetRecordingPolicyResponseSchema>> {
    requireService(caller, 'tunnels');
    if (!isUuid(accountId) || !isUuid(deviceId)) throw new Fault('not_found', `device ${deviceId}.`);
    const found = await settingsOf(this.source, accountId);
    if (!found || found.policy === RecordingPolicy.OFF) return { policy: RecordingPolicy.OFF };
    const isWanted = kind === RecordingKind.TERMINAL || (kind === RecordingKind.DESKTOP && found.desktops);
    if (!isWanted || !(await this.matches(accountId, deviceId, found.filter))) return { policy: RecordingPolicy.OFF };
    return { policy: found.policy, problem: this.settings.problem ?? '' };
  }

  private async matches(accountId: string, deviceId: string, filter: string): Promise<boolean> {
    if (filter === '') return true;
    const query = { accountIds: [accountId], filter, deviceIds: [deviceId] };
    try {
      const { answers } = await this.matching.matchDevices(SYSTEM, { queries: [query] }, { timeoutMs: TIMEOUT_MS });
      const [answer] = answers;
      return answer === undefined || answer.undecided !== '' || answer.matches.length > 0;
    } catch (error) {
      if (error instanceof Fault && ['unavailable', 'deadline_exceeded'].includes(error.code)) return true;
      throw error;
    }
  }
}
