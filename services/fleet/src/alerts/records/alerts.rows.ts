import type { AlertKind, AlertSeverity } from '@warren/rules/alerts';

/** A row of `alerts`. */
export interface AlertRow {
  id: string;
  account_id: string;
  rule_id: string;
  rule_name: string;
  kind: AlertKind;
  severity: AlertSeverity;
  device_id: string;
  device_name: string;
  detail: string;
  value: number | null;
  state: 'open' | 'closed';
  opened_at: Date;
  closed_at: Date | null;
  acknowledged_at: Date | null;
  acknowledged_by: string | null;
  note: string | null;
  silenced: boolean;
}

/** What a change of alerts tells of each. */
export type ChangedAlert = Pick<
  AlertRow,
  'id' | 'account_id' | 'rule_id' | 'rule_name' | 'severity' | 'device_id' | 'device_name' | 'detail' | 'silenced'
>;
