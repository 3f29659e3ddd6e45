import { AlertKind, AlertSeverity, AlertState } from '@warren/proto/fleet/v1/alerts';
import type { AlertKind as KindName, AlertSeverity as SeverityName } from '@warren/rules/alerts';

const KINDS: Record<AlertKind, KindName | ''> = {
  [AlertKind.UNSPECIFIED]: '',
  [AlertKind.OFFLINE]: 'offline',
  [AlertKind.NEVER_CONNECTED]: 'never_connected',
  [AlertKind.CONDITION]: 'condition',
  [AlertKind.METRIC]: 'metric',
  [AlertKind.DISK_FULL]: 'disk_full',
  [AlertKind.FLAPPING]: 'flapping',
  [AlertKind.UPDATE_FAILED]: 'update_failed',
  [AlertKind.JOB_FAILED]: 'job_failed',
};

const SEVERITIES: Record<AlertSeverity, SeverityName | ''> = {
  [AlertSeverity.UNSPECIFIED]: '',
  [AlertSeverity.CRITICAL]: 'critical',
  [AlertSeverity.WARNING]: 'warning',
  [AlertSeverity.INFO]: 'info',
};

/** The kind of a rule; `condition` for one of a newer hub. */
export function kindName(kind: AlertKind): KindName {
  return KINDS[kind] || 'condition';
}

export function severityName(severity: AlertSeverity): SeverityName {
  return SEVERITIES[severity] || 'info';
}

export function stateName(state: AlertState): 'open' | 'closed' {
  return state === AlertState.CLOSED ? 'closed' : 'open';
}

/** The number of a name; unspecified without one. */
export function kindNumber(name: KindName | undefined): AlertKind {
  return numberOf(KINDS, name) ?? AlertKind.UNSPECIFIED;
}

export function severityNumber(name: SeverityName | undefined): AlertSeverity {
  return numberOf(SEVERITIES, name) ?? AlertSeverity.UNSPECIFIED;
}

export function stateNumber(name: 'open' | 'closed' | undefined): AlertState {
  if (name === undefined) return AlertState.UNSPECIFIED;
  return name === 'open' ? AlertState.OPEN : AlertState.CLOSED;
}

function numberOf<T extends number>(names: Record<T, string>, name: string | undefined): T | undefined {
  const found = Object.entries(names).find(([, one]) => name !== undefined && one === name);
  return found && (Number(found[0]) as T);
}
