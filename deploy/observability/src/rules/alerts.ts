import type { Alert, Group } from './rule.ts';

const COMPONENTS = ['gateway', 'identity', 'tenancy', 'devices', 'tunnels'];

const DIALS = 'warren_tunnels_agent_dials_total';
const HTTP = 'warren_http_request_duration_seconds';
const CALLS = 'warren_rpc_client_duration_seconds_count';

const down = (name: string, dependency: string, title: string): Alert => ({
  name,
  expr: `max by (component, instance) (warren_dependency_up{dependency="${dependency}"}) == 0`,
  lasts: '1m',
  severity: 'critical',
  summary: `${title} does not answer {{ $labels.component }} ({{ $labels.instance }}).`,
});

const processes: Alert[] = [
  {
    name: 'WarrenServiceGone',
    expr: COMPONENTS.map((component) => `absent(warren_build_info{component="${component}"})`).join(' or '),
    lasts: '2m',
    severity: 'critical',
    summary: 'No process of {{ $labels.component }} is scraped.',
  },
  {
    name: 'WarrenRestarts',
    expr: 'changes(process_start_time_seconds{component!=""}[15m]) > 2',
    lasts: '0m',
    severity: 'warning',
    summary: '{{ $labels.component }} ({{ $labels.instance }}) has started {{ $value }} times in 15 minutes.',
  },
  {
    name: 'WarrenVersionsMixed',
    expr: 'count(count by (version) (warren_build_info)) > 1',
    lasts: '1h',
    severity: 'warning',
    summary: '{{ $value }} versions of Warren have run side by side for an hour.',
  },
  {
    name: 'WarrenEventLoopBlocked',
    // Half a second is what lies between two looks.
    expr: 'nodejs_eventloop_lag_p99_seconds{component!=""} - 0.5 > 0.25',
    lasts: '10m',
    severity: 'warning',
    summary: '{{ $labels.component }} ({{ $labels.instance }}) reacts {{ $value | humanizeDuration }} late.',
  },
];

const dependencies: Alert[] = [
  down('WarrenPostgresDown', 'postgres', 'PostgreSQL'),
  down('WarrenRedisDown', 'redis', 'Redis'),
  down('WarrenNatsDown', 'nats', 'NATS'),
  down('WarrenLeaseLost', 'lease', 'The directory of replicas'),
  {
    name: 'WarrenDependencySlow',
    expr: 'max by (component, dependency) (warren_dependency_check_seconds) > 0.5 and on (component, dependency) warren_dependency_up == 1',
    lasts: '5m',
    severity: 'warning',
    summary:
      '{{ $labels.dependency }} takes {{ $value | humanizeDuration }} for the smallest question of {{ $labels.component }}.',
  },
  {
    name: 'WarrenDatabasePoolExhausted',
    expr: 'sum by (component, instance) (warren_database_pool_waiting) > 0',
    lasts: '5m',
    severity: 'warning',
    summary: 'Queries of {{ $labels.component }} ({{ $labels.instance }}) wait for a connection.',
  },
  {
    name: 'WarrenEventsStuck',
    expr: 'max by (component) (warren_event_consumer_pending{state="undelivered"}) > 1000 or max by (component) (warren_outbox_oldest_seconds) > 60',
    lasts: '5m',
    severity: 'critical',
    summary: 'Events of {{ $labels.component }} wait: its lists and rights are behind.',
  },
  {
    name: 'WarrenMailsFailing',
    expr: 'max(warren_tenancy_mails_waiting) > 0 and sum(increase(warren_tenancy_mails_total{result="failed"}[15m])) > 0 unless sum(increase(warren_tenancy_mails_total{result="sent"}[15m])) > 0',
    lasts: '15m',
    severity: 'warning',
    summary: '{{ $value }} mails wait, and none has gone out for half an hour.',
  },
];

const fleet: Alert[] = [
  {
    name: 'WarrenAgentsLost',
    expr: 'warren:agents_connected:sum < 0.8 * max_over_time(warren:agents_connected:sum[30m]) and max_over_time(warren:agents_connected:sum[30m]) >= 10',
    lasts: '3m',
    severity: 'critical',
    summary: 'Only {{ $value }} agents are connected, a fifth less than within the last half hour.',
  },
  {
    name: 'WarrenDialsRefused',
    expr: `sum(rate(${DIALS}{status=~"5..|429"}[5m])) / sum(rate(${DIALS}[5m])) > 0.2 and sum(rate(${DIALS}[5m])) > 0.1`,
    lasts: '10m',
    severity: 'critical',
    summary: '{{ $value | humanizePercentage }} of the dials of agents are told to come back.',
  },
  {
    name: 'WarrenReplicaFull',
    expr: 'warren_tunnels_agents_connected / warren_tunnels_agents_max > 0.85',
    lasts: '5m',
    severity: 'warning',
    summary: '{{ $labels.instance }} holds {{ $value | humanizePercentage }} of the agents that it may.',
  },
  {
    name: 'WarrenDeviceMisbehaves',
    expr: 'sum by (breach) (increase(warren_tunnels_agent_links_breached_total[15m])) > 2',
    lasts: '0m',
    severity: 'warning',
    summary:
      '{{ $value | humanize }} links were closed within 15 minutes because of what their devices sent ({{ $labels.breach }}).',
  },
  {
    name: 'WarrenAgentFlaps',
    expr: 'max(warren_devices_rollout_devices{state="flapping"}) > 0',
    lasts: '0m',
    severity: 'warning',
    summary: 'A new version of the agent crashes again and again on {{ $value }} devices.',
  },
  {
    name: 'WarrenPresenceStale',
    expr: 'time() - max(warren_devices_reconciled_timestamp_seconds) > 30',
    lasts: '1m',
    severity: 'critical',
    summary: 'The status of devices has not been checked for {{ $value | humanizeDuration }}.',
  },
];

const people: Alert[] = [
  {
    name: 'WarrenRequestsFail',
    expr: `sum(rate(${HTTP}_count{status=~"5.."}[5m])) / sum(rate(${HTTP}_count[5m])) > 0.05 and sum(rate(${HTTP}_count[5m])) > 0.1`,
    lasts: '5m',
    severity: 'critical',
    summary: '{{ $value | humanizePercentage }} of the requests are answered with a server error.',
  },
  {
    name: 'WarrenRequestsSlow',
    expr: `histogram_quantile(0.95, sum by (le) (rate(${HTTP}_bucket{route=~"/api/.+",route!="/api/events"}[5m]))) > 1`,
    lasts: '10m',
    severity: 'warning',
    summary: 'One request in twenty takes longer than {{ $value | humanizeDuration }}.',
  },
  {
    name: 'WarrenCallsFail',
    expr: `sum by (rpc_service) (rate(${CALLS}{code=~"internal|unavailable|deadline_exceeded"}[5m])) / sum by (rpc_service) (rate(${CALLS}[5m])) > 0.05`,
    lasts: '5m',
    severity: 'critical',
    summary: '{{ $value | humanizePercentage }} of the calls to {{ $labels.rpc_service }} fail.',
  },
  {
    name: 'WarrenSignInsRefused',
    expr: 'sum(increase(warren_identity_sign_ins_total{result="refused"}[15m])) > 20 and sum(increase(warren_identity_sign_ins_total{result="refused"}[15m])) > sum(increase(warren_identity_sign_ins_total{result="signed_in"}[15m]))',
    lasts: '0m',
    severity: 'warning',
    summary: '{{ $value }} sign-ins were refused in 15 minutes, more than succeeded.',
  },
];

export const alertGroups: Group[] = [
  {
    name: 'warren-fleet-totals',
    rules: [{ record: 'warren:agents_connected:sum', expr: 'sum(warren_tunnels_agents_connected)' }],
  },
  { name: 'warren-processes', rules: processes },
  { name: 'warren-dependencies', rules: dependencies },
  { name: 'warren-fleet', rules: fleet },
  { name: 'warren-people', rules: people },
];
