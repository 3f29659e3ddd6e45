import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  AlertsService as Contract,
  type AcknowledgeAlertsRequest,
  type CreateAlertRuleRequest,
  type CreateAlertSilenceRequest,
  type DeleteAlertRuleRequest,
  type DeleteAlertSilenceRequest,
  type GetAlertCountsRequest,
  type GetAlertTrendRequest,
  type ListAlertRulesRequest,
  type ListAlertSilencesRequest,
  type ListAlertsRequest,
  type PreviewAlertRuleRequest,
  type UpdateAlertRuleRequest,
} from '@warren/proto/fleet/v1/alerts';
import { AlertsService } from './list/alerts.service.ts';
import type { ListFilterUsesRequest } from '@warren/proto/common/v1/common';
import { RulePreview } from './rules/rule.preview.ts';
import { AlertRulesService } from './rules/rules.service.ts';
import { SavedFilters } from './saved/saved.filters.ts';
import { SilencesService } from './silences/silences.service.ts';
import { AlertTrend } from './trends/alert.trend.ts';

/** AlertsService on the bus. */
@Injectable()
export class AlertsRpc implements RpcHandlers<typeof Contract>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly alerts: AlertsService,
    private readonly trends: AlertTrend,
    private readonly rules: AlertRulesService,
    private readonly previews: RulePreview,
    private readonly silences: SilencesService,
    private readonly saved: SavedFilters,
  ) {}

  onModuleInit(): void {
    this.server.serve(Contract, this);
  }

  listAlerts = (caller: Caller, request: ListAlertsRequest) => this.alerts.list(caller, request);
  getAlertCounts = (caller: Caller, request: GetAlertCountsRequest) => this.alerts.counts(caller, request);
  getAlertTrend = (caller: Caller, request: GetAlertTrendRequest) => this.trends.trend(caller, request);
  acknowledgeAlerts = (caller: Caller, request: AcknowledgeAlertsRequest) => this.alerts.acknowledge(caller, request);
  listAlertRules = (caller: Caller, request: ListAlertRulesRequest) => this.rules.list(caller, request);
  createAlertRule = (caller: Caller, request: CreateAlertRuleRequest) => this.rules.create(caller, request);
  updateAlertRule = (caller: Caller, request: UpdateAlertRuleRequest) => this.rules.update(caller, request);
  deleteAlertRule = (caller: Caller, request: DeleteAlertRuleRequest) => this.rules.delete(caller, request);
  previewAlertRule = (caller: Caller, request: PreviewAlertRuleRequest) => this.previews.preview(caller, request);
  listFilterUses = (caller: Caller, request: ListFilterUsesRequest) => this.saved.uses(caller, request);
  listAlertSilences = (caller: Caller, request: ListAlertSilencesRequest) => this.silences.list(caller, request);
  createAlertSilence = (caller: Caller, request: CreateAlertSilenceRequest) => this.silences.create(caller, request);
  deleteAlertSilence = (caller: Caller, request: DeleteAlertSilenceRequest) => this.silences.delete(caller, request);
}
