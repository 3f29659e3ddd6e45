import { upTo } from '../promql.ts';
import { INSTALLATION, type Alert, type Group, type Recording } from './rule.ts';

/** A service level objective: the share of good events over 30 days. */
interface Objective {
  slo: string;
  /** Name of the alerts on its burn rate. */
  alert: string;
  about: string;
  target: number;
  /** Counter of all events. */
  total: string;
  /** Counter of good events. */
  good: string;
}

const SIGN_IN = 'route=~"/auth/(saml/(login|acs)|oidc/:provider/callback)"';

const objectives: Objective[] = [
  {
    slo: 'sign-in',
    alert: 'WarrenSignInBudgetBurns',
    about: 'Both steps of a sign-in are answered within a second, and not with an error of ours',
    target: 0.995,
    total: `warren_http_request_duration_seconds_count{${SIGN_IN}}`,
    good: `warren_http_request_duration_seconds_bucket{${SIGN_IN},status!~"5..",${upTo(1)}}`,
  },
  {
    slo: 'terminal-start',
    alert: 'WarrenTerminalStartBudgetBurns',
    about: 'Terminals of connected devices open within a second',
    target: 0.995,
    total: 'warren_tunnels_session_start_seconds_count{kind="terminal",outcome=~"opened|failed"}',
    good: `warren_tunnels_session_start_seconds_bucket{kind="terminal",outcome="opened",${upTo(1)}}`,
  },
  {
    slo: 'presence',
    alert: 'WarrenPresenceBudgetBurns',
    about: 'The lists know within five seconds that a device came or went',
    target: 0.995,
    total: 'warren_devices_presence_lag_seconds_count',
    good: `warren_devices_presence_lag_seconds_bucket{${upTo(5)}}`,
  },
];

const WINDOWS = ['5m', '30m', '1h', '6h', '3d'] as const;
type Window = (typeof WINDOWS)[number];

const events = (window: Window) => `warren:slo_events:increase${window}`;
const errors = (window: Window) => `warren:slo_errors:increase${window}`;
const ratio = (window: Window) => `warren:slo_errors:ratio_rate${window}`;

/** Records the number of events, of bad ones, and their ratio, which has no series without events. */
function recordings({ slo, good, total }: Objective, window: Window): Recording[] {
  const of = (name: string) => `${name}{slo="${slo}"}`;
  const increase = (counter: string) => `sum by (${INSTALLATION}) (increase(${counter}[${window}]))`;
  // Without good events their series may be missing, which must count as all bad.
  const well = `(${increase(good)} or on (${INSTALLATION}) 0 * ${of(events(window))})`;
  return [
    { record: events(window), expr: increase(total), labels: { slo } },
    {
      record: errors(window),
      expr: `clamp_min(${of(events(window))} - on (${INSTALLATION}) ${well}, 0)`,
      labels: { slo },
    },
    { record: ratio(window), expr: `${of(errors(window))} / (${of(events(window))} > 0)`, labels: { slo } },
  ];
}

/**
 * Multiwindow burn rate alerts, which fire for lasting problems and stop soon after (Google, The Site Reliability Workbook, chapter 5).
 * `rate` is a multiple of the 30-day budget: 14.4 uses a fiftieth of it in an hour. Since one failure of few events is a large ratio, the
 * long window must have at least `events` events with `errors` failures.
 */
const BURNS = [
  { rate: 14.4, long: '1h', short: '5m', events: 20, errors: 10, severity: 'critical', lasts: '2m' },
  { rate: 6, long: '6h', short: '30m', events: 20, errors: 10, severity: 'critical', lasts: '5m' },
  { rate: 1, long: '3d', short: '6h', events: 50, errors: 10, severity: 'warning', lasts: '1h' },
] as const;

function alerts({ slo, alert, about, target }: Objective): Alert[] {
  return BURNS.map(({ rate, long, short, severity, lasts, ...least }) => {
    const budget = `${rate} * ${(1 - target).toFixed(3)}`;
    const conditions = [
      `${ratio(long)}{slo="${slo}"} > ${budget}`,
      `${ratio(short)}{slo="${slo}"} > ${budget}`,
      `${events(long)}{slo="${slo}"} >= ${least.events}`,
      `${errors(long)}{slo="${slo}"} >= ${least.errors}`,
    ];
    return {
      name: alert,
      expr: conditions.join(' and '),
      lasts,
      severity,
      labels: { slo, window: long },
      summary: `${about}: {{ $value | humanizePercentage }} missed it in the last ${long}, more than ${rate} times what the objective of ${target * 100} % allows.`,
    };
  });
}

/** Rules of a group see the recordings of earlier ones. */
export const sloGroups: Group[] = objectives.map((objective) => ({
  name: `warren-slo-${objective.slo}`,
  rules: [...WINDOWS.flatMap((window) => recordings(objective, window)), ...alerts(objective)],
}));
