import type { INestApplicationContext } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { AlertState, type ListAlertsRequest } from '@warren/proto/fleet/v1/alerts';
import { AlertsService } from '../src/alerts/list/alerts.service.ts';

const ALL = { accountId: '', state: AlertState.OPEN, severity: 0, ruleId: '', deviceId: '', limit: 200, before: '' };

/** Lists open alerts that a person may see, unless the request says otherwise. */
export function listAlerts(app: INestApplicationContext, caller: Caller, more: Partial<ListAlertsRequest> = {}) {
  return app.get(AlertsService).list(caller, { ...ALL, acknowledged: undefined, ...more });
}
