import { COMPONENTS, OURS } from '../promql.ts';
import { INSTALLATION, type Alert, type Group } from './rule.ts';

const DIALS = 'warren_tunnels_agent_dials_total';
const HTTP = 'warren_http_request_duration_seconds';
const CALLS = 'warren_rpc_client_duration_seconds_count';

/** Groups by installation and further labels. */
const by = (...labels: string[]) => `by (${[INSTALLATION, ...labels].join(', ')})`;
const on = (...labels: string[]) => `on (${[INSTALLATION, ...labels].join(', ')})`;

const total = (counter: string, window: string, ...labels: string[]) =>
  `sum ${by(...labels)} (increase(${counter}[${window}]))`;

const SEEN = 'last_over_time(warren_build_info{release!=""}[1d])';

/** Installations with another scraped process. */
const withoutComponent = (component: string) =>
  `label_replace(group ${by()} (warren_build_info) unless ${on()} warren_build_info{component="${component}"}, "component", "${component}", "", "")`;

const down = (name: string, dependency: string, title: string): Alert => ({
  name,
  expr: `max ${by('component', 'instance')} (warren_dependency_up{dependency="${dependency}"}) == 0`,
  lasts: '1m',
  severity: 'critical',
  summary: `${title} does not answer {{ $labels.component }} ({{ $labels.instance }}).`,
});

const processes: Alert[] = [
  {
    name: 'WarrenInstallationGone',
    // Everything that was up within a day, by labels. Without labels there is at most one known installation.
    expr: `group ${by()} (${SEEN}) unless ${on()} warren_build_info or absent(${SEEN} or warren_build_info)`,
    lasts: '2m',
    severity: 'critical',
    summary: 'No process of Warren is scraped.',
  },
  {
    name: 'WarrenServiceGone',
    expr: COMPONENTS.map(withoutComponent).join(' or '),
    lasts: '2m',
    severity: 'critical',
    summary: 'No process of {{ $labels.component }} is scraped.',
  },
  {
    name: 'WarrenRestarts',
    expr: `changes(process_start_time_seconds{${OURS}}[15m]) > 2`,
    lasts: '0m',
    severity: 'warning',
    summary: '{{ $labels.component }} ({{ $labels.instance }}) has started {{ $value }} times in 15 minutes.',
  },
  {
    name: 'WarrenVersionsMixed',
    expr: `count ${by()} (count ${by('version')} (warren_build_info)) > 1`,
    lasts: '1h',
    severity: 'warning',
    summary: '{{ $value }} versions of Warren have run side by side for an hour.',
  },
  {
    name: 'WarrenEventLoopBlocked',
    // Checks are half a second apart.
    expr: `nodejs_eventloop_lag_p99_seconds{${OURS}} - 0.5 > 0.25`,
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
    expr: `max ${by('component', 'dependency')} (warren_dependency_check_seconds) > 0.5 and ${on('component', 'dependency')} warren_dependency_up == 1`,
    lasts: '5m',
    severity: 'warning',
    summary:
      '{{ $labels.dependency }} takes {{ $value | humanizeDuration }} for the smallest question of {{ $labels.component }}.',
  },
  {
    name: 'WarrenDatabasePoolExhausted',
    expr: `sum ${by('component', 'instance')} (warren_database_pool_waiting) > 0`,
    lasts: '5m',
    severity: 'warning',
    summary: 'Queries of {{ $labels.component }} ({{ $labels.instance }}) wait for a connection.',
  },
  {
    name: 'WarrenEventsStuck',
    expr: `max ${by('component')} (warren_event_consumer_pending{state="undelivered"}) > 1000 or max ${by('component')} (warren_outbox_oldest_seconds) > 60`,
    lasts: '5m',
    severity: 'critical',
    summary: 'Events of {{ $labels.component }} wait: its lists and rights are behind.',
  },
  {
    name: 'WarrenMailsFailing',
    expr: `max ${by()} (warren_tenancy_mails_waiting) > 0 and ${total('warren_tenancy_mails_total{result="failed"}', '15m')} > 0 unless ${total('warren_tenancy_mails_total{result="sent"}', '15m')} > 0`,
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
    expr: `${total(`${DIALS}{status=~"5..|429"}`, '5m')} / ${total(DIALS, '5m')} > 0.2 and ${total(DIALS, '5m')} > 30`,
    lasts: '10m',
    severity: 'critical',
    summary: '{{ $value | humanizePercentage }} of the dials of agents are asked to retry later.',
  },
  {
    name: 'WarrenReplicaFull',
    // Matches one to one by the labels of the scrape.
    expr: 'warren_tunnels_agents_connected / warren_tunnels_agents_max > 0.85',
    lasts: '5m',
    severity: 'warning',
    summary: '{{ $labels.instance }} holds {{ $value | humanizePercentage }} of the agents that it may.',
  },
  {
    name: 'WarrenDeviceMisbehaves',
    expr: `${total('warren_tunnels_agent_links_breached_total', '15m', 'breach')} > 2`,
    lasts: '0m',
    severity: 'warning',
    summary:
      '{{ $value | humanize }} links were closed within 15 minutes because of what their devices sent ({{ $labels.breach }}).',
  },
  {
    name: 'WarrenAgentFlaps',
    expr: `max ${by()} (warren_devices_rollout_devices{state="flapping"}) > 0`,
    lasts: '0m',
    severity: 'warning',
    summary: 'A new version of the agent crashes again and again on {{ $value }} devices.',
  },
  {
    name: 'WarrenPresenceStale',
    expr: `time() - max ${by()} (warren_devices_reconciled_timestamp_seconds) > 30`,
    lasts: '1m',
    severity: 'critical',
    summary: 'The status of devices has not been checked for {{ $value | humanizeDuration }}.',
  },
  {
    name: 'WarrenHistoryNotKept',
    // Samples are aggregated hourly; a new process catches up first.
    expr: `time() - max ${by()} (warren_fleet_history_kept_timestamp_seconds) > 7200`,
    lasts: '10m',
    severity: 'warning',
    summary: 'The history of metrics has not been summed up for {{ $value | humanizeDuration }}.',
  },
  {
    name: 'WarrenRemoteWriteFailing',
    // Refused samples of one request are no alarm.
    expr: `time() - min ${by()} (warren_fleet_remote_write_failing_since_timestamp_seconds > 0) > 300 or ${total('warren_fleet_remote_write_samples_total{result=~"refused|full"}', '10m')} > 0`,
    lasts: '15m',
    severity: 'warning',
    summary: 'The metrics store gets no samples of devices, or not all: some are lost to it.',
  },
  {
    name: 'WarrenAlertsNotEvaluated',
    expr: `time() - max ${by()} (warren_fleet_alerts_evaluated_timestamp_seconds) > 180`,
    lasts: '2m',
    severity: 'critical',
    summary: 'The conditions of alert rules have not been looked at for {{ $value | humanizeDuration }}.',
  },
  {
    name: 'WarrenNotificationsStuck',
    // Not the age of those that wait: a receiver that is away may make one wait for a day.
    expr: `max ${by()} (warren_fleet_notifications_overdue_seconds) > 300`,
    lasts: '5m',
    severity: 'critical',
    summary: 'Notifications of alerts have been due for {{ $value | humanizeDuration }}, and nobody delivers them.',
  },
  {
    name: 'WarrenAuditBroken',
    expr: `max ${by()} (warren_audit_chains_broken) > 0`,
    lasts: '0m',
    severity: 'critical',
    summary: 'Audit events of {{ $value }} accounts were removed or changed.',
  },
  {
    name: 'WarrenAuditNotVerified',
    expr: `time() - max ${by()} (warren_audit_verified_timestamp_seconds) > 172800`,
    lasts: '1h',
    severity: 'warning',
    summary: 'The audit trail has not been verified for {{ $value | humanizeDuration }}.',
  },
  {
    name: 'WarrenAuditStreamFailing',
    expr: `max ${by()} (warren_audit_stream_failing_seconds) > 900`,
    lasts: '1m',
    severity: 'warning',
    summary: 'A stream of audit events has failed for {{ $value | humanizeDuration }}.',
  },
];

const FAILED_REQUESTS = total(`${HTTP}_count{status=~"5.."}`, '5m');
const FAILED_CALLS = total(`${CALLS}{code=~"internal|unavailable|deadline_exceeded"}`, '5m', 'rpc_service');
const signIns = (result: string) => total(`warren_identity_sign_ins_total{result="${result}"}`, '15m', 'provider');
const API = 'route=~"/api/.+",route!="/api/events"';

/** A ratio of few requests is meaningless, so alerts on ratios need a minimum number. */
const people: Alert[] = [
  {
    name: 'WarrenRequestsFail',
    expr: `${FAILED_REQUESTS} / ${total(`${HTTP}_count`, '5m')} > 0.05 and ${FAILED_REQUESTS} >= 10`,
    lasts: '5m',
    severity: 'critical',
    summary: '{{ $value | humanizePercentage }} of the requests are answered with a server error.',
  },
  {
    name: 'WarrenRequestsSlow',
    expr: `histogram_quantile(0.95, sum ${by('le')} (rate(${HTTP}_bucket{${API}}[5m]))) > 1 and ${total(`${HTTP}_count{${API}}`, '5m')} >= 20`,
    lasts: '10m',
    severity: 'warning',
    summary: 'One request in twenty takes longer than {{ $value | humanizeDuration }}.',
  },
  {
    name: 'WarrenCallsFail',
    expr: `${FAILED_CALLS} / ${total(CALLS, '5m', 'rpc_service')} > 0.05 and ${FAILED_CALLS} >= 10`,
    lasts: '5m',
    severity: 'critical',
    summary: '{{ $value | humanizePercentage }} of the calls to {{ $labels.rpc_service }} fail.',
  },
  {
    name: 'WarrenSignInsRefused',
    // A provider with which nobody has signed in yet has no other series.
    expr: `${signIns('refused')} > 20 unless ${signIns('signed_in')} >= ${signIns('refused')}`,
    lasts: '0m',
    severity: 'warning',
    summary: '{{ $value }} sign-ins with {{ $labels.provider }} were refused in 15 minutes, more than succeeded.',
  },
  {
    name: 'WarrenTokensRefused',
    expr: `${total('warren_gateway_token_requests_total{outcome="refused"}', '15m')} > 100`,
    lasts: '5m',
    severity: 'warning',
    summary: '{{ $value | humanize }} requests within 15 minutes had an API token that is not in force.',
  },
  {
    name: 'WarrenAccessRequestsWait',
    // They expire after 24 hours.
    expr: `max ${by()} (warren_tenancy_access_requests_oldest_seconds) > 14400`,
    lasts: '5m',
    severity: 'warning',
    summary: 'An access request has waited for {{ $value | humanizeDuration }} without a decision.',
  },
  {
    name: 'WarrenGuestReviewsWait',
    // Reviews follow an event within 2 s. During an upgrade they are postponed by 30 s at a time.
    expr: `max ${by()} (warren_identity_guest_reviews_oldest_seconds) > 30`,
    lasts: '5m',
    severity: 'warning',
    summary: 'A guest link has waited for {{ $value | humanizeDuration }} to be reviewed.',
  },
];

const data: Alert[] = [
  {
    name: 'WarrenBackupOld',
    // Has no series if backups are made elsewhere.
    expr: `time() - max ${by()} (warren_backup_due_timestamp_seconds) > 0`,
    lasts: '30m',
    severity: 'warning',
    summary: 'A backup of the database has been due for {{ $value | humanizeDuration }}.',
  },
];

export const alertGroups: Group[] = [
  {
    name: 'warren-fleet-totals',
    rules: [{ record: 'warren:agents_connected:sum', expr: `sum ${by()} (warren_tunnels_agents_connected)` }],
  },
  { name: 'warren-processes', rules: processes },
  { name: 'warren-dependencies', rules: dependencies },
  { name: 'warren-fleet', rules: fleet },
  { name: 'warren-people', rules: people },
  { name: 'warren-data', rules: data },
];
