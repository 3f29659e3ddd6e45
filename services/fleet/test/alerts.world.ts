import { Role } from '@warren/proto/common/v1/common';
import type { ListAlertsRequest } from '@warren/proto/fleet/v1/alerts';
import { AlertPass } from '../src/alerts/pass/alert.pass.ts';
import { RulePreview } from '../src/alerts/rules/rule.preview.ts';
import { AlertRulesService } from '../src/alerts/rules/rules.service.ts';
import { user } from './callers.ts';
import { FleetWorld } from './fleet.world.ts';
import { listAlerts } from './listed.alerts.ts';

export const MINUTE = 60_000;

/** A row of `alert_changes`. */
interface Change {
  kind: string;
  count: number;
  rule_name: string;
  severity: string;
  alert_ids: string[];
  examples: { alertId: string; deviceId: string; deviceName: string; detail: string }[];
}

/** The service with one account for each test, and what its owner sees of alerts. */
export class AlertsWorld extends FleetWorld {
  account = '';
  /** When the test began. */
  now = 0;

  /** Forgets what earlier tests did, and adds the account of the next one. */
  clear(): this {
    this.matched.clear();
    this.account = this.matched.account('Acme');
    this.now = Date.now();
    return this;
  }

  owner = () => user(this.account, Role.OWNER);
  rules = () => this.app.get(AlertRulesService);
  preview = (request: Parameters<RulePreview['preview']>[1]) =>
    this.app.get(RulePreview).preview(this.owner(), request);
  pass = (minutes = 0, app = this.app) => app.get(AlertPass).pass(new Date(this.now + minutes * MINUTE));
  list = (more: Partial<ListAlertsRequest> = {}, caller = this.owner()) => listAlerts(this.app, caller, more);
  opened = async () => ((await this.list()).alerts ?? []).map(({ ruleName, deviceId }) => [ruleName, deviceId]);
  changes = () =>
    this.source.query<Change[]>(
      `SELECT kind, count, rule_name, severity, alert_ids, examples FROM alert_changes WHERE account_id = $1 ORDER BY created_at, id`,
      [this.account],
    );
}
