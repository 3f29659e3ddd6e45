import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { AlertsService } from '@warren/proto/fleet/v1/alerts';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { done } from '../http/done.ts';
import { isoTime } from '../http/schemas.ts';
import { severityNumber, stateNumber } from './alert.names.ts';
import {
  acknowledgeBody,
  acknowledgedSchema,
  alertCountsSchema,
  alertJson,
  alertListSchema,
  alertTrendQuery,
  alertTrendSchema,
  listAlertsQuery,
  ofAccountQuery,
  type AcknowledgeBody,
  type AlertTrendQuery,
  type ListAlertsQuery,
  type OfAccountQuery,
} from './alerts.schemas.ts';

/** Devices for which the condition of a rule holds, or held. */
@ApiTags('alerts')
@Controller('api/alerts')
export class AlertsController {
  constructor(@InjectRpc(AlertsService) private readonly alerts: RpcClient<typeof AlertsService>) {}

  @Get()
  @Describe({
    summary: 'Lists alerts, newest first.',
    description: 'Closed alerts are kept for 13 months.',
    answer: alertListSchema,
    errors: [404],
  })
  async listAlerts(@CurrentCaller() caller: Caller, @Query({ schema: listAlertsQuery }) query: ListAlertsQuery) {
    const { account: accountId, state, acknowledged, severity, rule = '', device = '', limit, before = '' } = query;
    const answer = await this.alerts.listAlerts(caller, {
      accountId,
      state: stateNumber(state),
      ...(acknowledged !== undefined && { acknowledged }),
      severity: severityNumber(severity),
      ruleId: rule,
      deviceId: device,
      limit,
      before,
    });
    return { alerts: answer.alerts.map(alertJson), total: answer.total };
  }

  @Get('counts')
  @Describe({ summary: 'Counts open alerts.', answer: alertCountsSchema, errors: [404] })
  async getAlertCounts(
    @CurrentCaller() caller: Caller,
    @Query({ schema: ofAccountQuery }) { account: accountId }: OfAccountQuery,
  ) {
    const { critical, warning, info, unacknowledged } = await this.alerts.getAlertCounts(caller, { accountId });
    return { open: { critical, warning, info }, unacknowledged };
  }

  @Get('trend')
  @Describe({ summary: 'Counts open alerts over time.', answer: alertTrendSchema, errors: [404] })
  async getAlertTrend(@CurrentCaller() caller: Caller, @Query({ schema: alertTrendQuery }) query: AlertTrendQuery) {
    const { account: accountId, hours } = query;
    const { counts } = await this.alerts.getAlertTrend(caller, { accountId, hours });
    return {
      hours,
      counts: counts.map(({ at, critical, warning, info }) => ({ at: isoTime(at), critical, warning, info })),
    };
  }

  @Post('acknowledge')
  @HttpCode(200)
  @Describe({
    summary: 'Acknowledges open alerts.',
    description:
      'SuperAdmins anywhere; Owners and Admins in their account. Alerts that are closed, acknowledged already, or not yours are passed over.',
    answer: acknowledgedSchema,
  })
  async acknowledgeAlerts(
    @CurrentCaller() caller: Caller,
    @Body({ schema: acknowledgeBody }) { ids, note }: AcknowledgeBody,
  ) {
    const { changed } = await this.alerts.acknowledgeAlerts(caller, { ids, note });
    return { ...done(changed === 1 ? '1 alert acknowledged' : `${changed} alerts acknowledged`), changed };
  }
}
