import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { RecordingsService } from '@warren/proto/audit/v1/recordings';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { done } from '../http/done.ts';
import { settingsJson, settingsMessage } from './recording.mapper.ts';
import {
  recordingSettingsChangedSchema,
  recordingSettingsQuery,
  recordingSettingsSchema,
  setRecordingSettingsBody,
  type RecordingSettingsQuery,
  type SetRecordingSettingsBody,
} from './settings.schemas.ts';

/** Whether the sessions of an account are recorded, and how long recordings are kept. */
@ApiTags('recordings')
@Controller('api/recordings/settings')
export class RecordingSettingsController {
  constructor(
    @InjectRpc(RecordingsService) private readonly recordings: RpcClient<typeof RecordingsService>,
    @InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>,
  ) {}

  @Get()
  @Describe({
    summary: 'Reads how the sessions of an account are recorded.',
    description: 'SuperAdmins; owners and admins for their account.',
    answer: recordingSettingsSchema,
    errors: [404],
  })
  async getRecordingSettings(
    @CurrentCaller() caller: Caller,
    @Query({ schema: recordingSettingsQuery }) { account }: RecordingSettingsQuery,
  ) {
    return settingsJson(await this.recordings.getRecordingSettings(caller, { accountId: accountOf(caller, account) }));
  }

  @Put()
  @Describe({
    summary: 'Sets how the sessions of an account are recorded.',
    description:
      'SuperAdmins; owners for their account. Holds for sessions that open; an open terminal follows a stricter policy when somebody attaches to it again.',
    answer: recordingSettingsChangedSchema,
    errors: [404, 409],
  })
  async setRecordingSettings(
    @CurrentCaller() caller: Caller,
    @Body({ schema: setRecordingSettingsBody }) body: SetRecordingSettingsBody,
  ) {
    const accountId = accountOf(caller, body.account);
    if (body.account) await this.tenancy.getAccount(caller, { id: accountId });
    const settings = settingsMessage(body);
    const version = body.version === undefined ? {} : { version: body.version };
    const changed = await this.recordings.setRecordingSettings(caller, { accountId, settings, ...version });
    return { ...done('settings successfully changed'), result: settingsJson(changed) };
  }
}

const accountOf = (caller: Caller, account: string | undefined) => account ?? requireUser(caller).accountId;
