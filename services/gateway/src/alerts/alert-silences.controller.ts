import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { AlertsService } from '@warren/proto/fleet/v1/alerts';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { done, doneSchema } from '../http/done.ts';
import { idSchema } from '../http/schemas.ts';
import {
  createSilenceBody,
  silenceAnswerSchema,
  silenceJson,
  silenceListSchema,
  type CreateSilenceBody,
} from './alert-silences.schemas.ts';
import { ofAccountQuery, type OfAccountQuery } from './alerts.schemas.ts';

/** What withholds notifications of alerts. */
@ApiTags('alerts')
@Controller('api/alert-silences')
export class AlertSilencesController {
  constructor(@InjectRpc(AlertsService) private readonly alerts: RpcClient<typeof AlertsService>) {}

  @Get()
  @Describe({ summary: 'Lists silences that have not ended.', answer: silenceListSchema, errors: [404] })
  async listAlertSilences(
    @CurrentCaller() caller: Caller,
    @Query({ schema: ofAccountQuery }) { account: accountId }: OfAccountQuery,
  ) {
    const { silences } = await this.alerts.listAlertSilences(caller, { accountId });
    return { silences: silences.map(silenceJson) };
  }

  @Post()
  @Describe({
    summary: 'Silences the alerts of devices until a time.',
    description:
      'Alerts open and close all the same; their notifications are withheld. Alerts that are still open at the end are notified then. SuperAdmins anywhere; Owners and Admins in their account. At most 100 in an account.',
    answer: silenceAnswerSchema,
    status: 201,
    errors: [404, 409],
  })
  async createAlertSilence(
    @CurrentCaller() caller: Caller,
    @Body({ schema: createSilenceBody }) body: CreateSilenceBody,
  ) {
    const { account: accountId, filter, reason } = body;
    const until = timestampFromDate(new Date(body.until));
    const { silence } = await this.alerts.createAlertSilence(caller, { accountId, filter, until, reason });
    if (!silence) throw new Fault('not_found', `account ${accountId}.`);
    return { ...done('alerts successfully silenced'), result: silenceJson(silence) };
  }

  @Delete(':id')
  @Describe({ summary: 'Ends a silence.', answer: doneSchema, errors: [404] })
  async deleteAlertSilence(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    await this.alerts.deleteAlertSilence(caller, { id });
    return done('silence successfully ended');
  }
}
