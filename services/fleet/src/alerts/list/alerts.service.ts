import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import type { Event } from '@warren/platform/events/event';
import { invalidInput, shownValue } from '@warren/platform/errors/fault';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { listScope } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import type {
  GetAlertCountsResponseSchema,
  ListAlertsRequest,
  ListAlertsResponseSchema,
} from '@warren/proto/fleet/v1/alerts';
import { ALERT_LIMITS, alertNote } from '@warren/rules/alerts';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { alertsChanged } from '../events.ts';
import { alertMessage, severityOf, stateOf } from '../messages.ts';
import { check } from '../check.ts';
import { scopeOf } from '../scope.ts';
import { AlertSight } from './alert.sight.ts';
import { acknowledgeOpen, countOpen, listAlerts, type AcknowledgedAlert } from '../records/alerts.sql.ts';

const MOST = 200;

/** Alerts, for people. */
@Injectable()
export class AlertsService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly sight: AlertSight,
  ) {}

  /** Newest first. @throws Fault `not_found` for an account out of sight; `invalid_argument` */
  async list(
    caller: Caller,
    request: Omit<ListAlertsRequest, '$typeName' | '$unknown'>,
  ): Promise<MessageInitShape<typeof ListAlertsResponseSchema>> {
    const scope = scopeOf(caller, request.accountId);
    const { limit } = request;
    if (limit < 1 || limit > MOST)
      throw invalidInput({ field: 'limit', message: `expected 1 to ${MOST}.`, value: shownValue(limit) });
    const filter = {
      accountId: scope.accountId,
      state: stateOf(request.state),
      acknowledged: request.acknowledged,
      severity: severityOf(request.severity),
      ruleId: idOf('rule', request.ruleId),
      deviceId: idOf('device', request.deviceId),
    };
    const before = idOf('before', request.before);
    const deviceIds = await this.sight.devicesIn(scope, filter);
    const { alerts, total } = await listAlerts(this.source, { ...filter, deviceIds }, { limit, before });
    return { alerts: alerts.map(alertMessage), total };
  }

  /** How many alerts are open. @throws Fault `not_found` for an account out of sight */
  async counts(
    caller: Caller,
    request: { accountId: string },
  ): Promise<MessageInitShape<typeof GetAlertCountsResponseSchema>> {
    const scope = scopeOf(caller, request.accountId);
    return countOpen(this.source, scope.accountId, await this.sight.devicesIn(scope, { state: 'open' }));
  }

  /**
   * Acknowledges open alerts of the accounts where the caller may; passes all others over.
   * @throws Fault `permission_denied` if the caller may nowhere; `invalid_argument`
   */
  async acknowledge(caller: Caller, request: { ids: string[]; note: string }): Promise<{ changed: number }> {
    const { user, accountId } = listScope(caller, 'alerts.acknowledge', '');
    const { ids } = request;
    if (ids.length > ALERT_LIMITS.acknowledged) {
      const message = `${ids.length} came, expected at most ${ALERT_LIMITS.acknowledged}.`;
      throw invalidInput({ field: 'ids', message });
    }
    const note = check('note', alertNote, request.note).trim();
    return this.outbox.transaction(async (manager, emit) => {
      const by = user.email || user.name;
      const changed = await acknowledgeOpen(
        manager,
        ids.filter((id) => isUuid(id)),
        { accountId, by, note },
      );
      for (const alert of changed) emit(acknowledged(caller, alert, note));
      for (const account of new Set(changed.map(({ account_id: id }) => id))) emit(alertsChanged(account));
      return { changed: changed.length };
    });
  }
}

function acknowledged(caller: Caller, alert: AcknowledgedAlert, note: string): Event {
  const { id, account_id: accountId, rule_name: name, device_id: device, device_name: deviceName } = alert;
  const target = { kind: 'alert', id, name } as const;
  const details = { device: deviceName, device_id: device };
  return auditEvent(caller, { action: 'alert.acknowledge', accountId, target, reason: note, details });
}

function idOf(field: string, id: string): string | undefined {
  if (id === '') return undefined;
  if (!isUuid(id)) throw invalidInput({ field, message: 'expected an id.', value: shownValue(id) });
  return id;
}
