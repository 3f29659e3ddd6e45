import type { Alert, Group, Recording } from './rule.ts';

/** What is promised: which part of what was asked for went well enough, over 30 days. */
export interface Objective {
  slo: string;
  /** Name of the alerts that tell that its budget burns. */
  alert: string;
  about: string;
  target: number;
  /** What was asked for, per second, over a window. */
  total: (window: string) => string;
  /** The part of it that went well. */
  good: (window: string) => string;
}

const ACS = 'method="POST",route="/auth/saml/acs"';

const objectives: Objective[] = [
  {
    slo: 'sign-in',
    alert: 'WarrenSignInBudgetBurns',
    about: 'Sign-ins are answered within a second, and not with an error of ours',
    target: 0.995,
    total: (window) => `sum(rate(warren_http_request_duration_seconds_count{${ACS}}[${window}]))`,
    good: (window) => `sum(rate(warren_http_request_duration_seconds_bucket{${ACS},status!~"5..",le="1"}[${window}]))`,
  },
  {
    slo: 'terminal-start',
    alert: 'WarrenTerminalStartBudgetBurns',
    about: 'Terminals of connected devices open within a second',
    target: 0.995,
    total: (window) =>
      `sum(rate(warren_tunnels_session_start_seconds_count{kind="terminal",outcome=~"opened|failed"}[${window}]))`,
    good: (window) =>
      `sum(rate(warren_tunnels_session_start_seconds_bucket{kind="terminal",outcome="opened",le="1"}[${window}]))`,
  },
  {
    slo: 'presence',
    alert: 'WarrenPresenceBudgetBurns',
    about: 'The lists know within five seconds that a device came or went',
    target: 0.995,
    total: (window) => `sum(rate(warren_devices_presence_lag_seconds_count[${window}]))`,
    good: (window) => `sum(rate(warren_devices_presence_lag_seconds_bucket{le="5"}[${window}]))`,
  },
];

const WINDOWS = ['5m', '30m', '1h', '6h', '3d'] as const;
type Window = (typeof WINDOWS)[number];

const errors = (window: Window) => `warren:slo_errors:ratio_rate${window}`;

/** The part that missed. Where nothing went well there is no such series, which must not pass for nothing wrong. */
function recording({ slo, good, total }: Objective, window: Window): Recording {
  return {
    record: errors(window),
    expr: `1 - (${good(window)} or vector(0)) / (${total(window)} > 0)`,
    labels: { slo },
  };
}

/**
 * Over a long and a short window, so that it fires for what lasts and stops soon after (Google, The Site Reliability Workbook,
 * chapter 5). `rate` times the budget of 30 days: at 14.4 a fiftieth of it goes in an hour.
 */
const BURNS = [
  { rate: 14.4, long: '1h', short: '5m', severity: 'critical', lasts: '2m' },
  { rate: 6, long: '6h', short: '30m', severity: 'critical', lasts: '5m' },
  { rate: 1, long: '3d', short: '6h', severity: 'warning', lasts: '1h' },
] as const;

function alerts({ slo, alert, about, target }: Objective): Alert[] {
  return BURNS.map(({ rate, long, short, severity, lasts }) => {
    const budget = `${rate} * ${(1 - target).toFixed(3)}`;
    const over = (window: Window) => `${errors(window)}{slo="${slo}"} > ${budget}`;
    return {
      name: alert,
      expr: `${over(long)} and ${over(short)}`,
      lasts,
      severity,
      labels: { slo, window: long },
      summary: `${about}: {{ $value | humanizePercentage }} missed it in the last ${long}, ${rate} times what the objective of ${target * 100} % allows.`,
    };
  });
}

export const sloGroups: Group[] = [
  { name: 'warren-slo', rules: objectives.flatMap((one) => WINDOWS.map((window) => recording(one, window))) },
  { name: 'warren-slo-alerts', rules: objectives.flatMap(alerts) },
];
