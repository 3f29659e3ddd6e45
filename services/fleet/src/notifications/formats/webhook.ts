import { alertsUrl, type Message, type Reason } from './content.ts';

const TYPES: Readonly<Record<Reason, string>> = {
  alerts: 'alerts.changed',
  quiet: 'alerts.summary',
  limit: 'alerts.summary',
  test: 'test',
};

/** A message as a webhook gets it (docs/notifications.md). */
export function webhookPayload(message: Message, hub: string): object {
  const { id, accountId, title, severity, content, created } = message;
  return {
    type: TYPES[content.reason],
    timestamp: created.toISOString(),
    data: {
      id,
      account_id: accountId,
      title,
      severity,
      url: alertsUrl(hub),
      groups: content.groups.map((group) => ({
        rule_id: group.ruleId,
        rule_name: group.ruleName,
        kind: group.kind,
        severity: group.severity,
        count: group.count,
        since: group.since,
        examples: group.examples.map((example) => ({
          alert_id: example.alertId,
          device_id: example.deviceId,
          device_name: example.deviceName,
          detail: example.detail,
        })),
      })),
      omitted_groups: content.omitted,
    },
  };
}
