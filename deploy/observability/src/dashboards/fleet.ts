import type { Board } from '../dashboard.ts';
import { quantile, rate } from '../promql.ts';

const NO_DIALS = 'no device has dialled lately';

export const fleet: Board = {
  uid: 'warren-fleet',
  title: 'Warren / Fleet',
  about: 'Devices: how many there are, how they come and go, and how soon the lists know.',
  panels: [
    {
      title: 'Agents connected',
      about: 'Links that the replicas of tunnels hold.',
      unit: 'short',
      stat: true,
      lines: [{ expr: 'sum(warren_tunnels_agents_connected)', legend: 'agents' }],
    },
    {
      title: 'Devices by status',
      about: 'As the lists show them. What differs from the agents connected for longer than a few seconds is wrong.',
      unit: 'short',
      lines: [{ expr: 'max by (status) (warren_devices_enrolled)', legend: '{{status}}' }],
    },
    {
      title: 'Versions of the hub',
      about: 'Processes by version; more than one only while an upgrade rolls.',
      unit: 'short',
      lines: [{ expr: 'count by (version, component) (warren_build_info)', legend: '{{component}} {{version}}' }],
    },
    {
      title: 'Dials of agents',
      about: '101 is a link. 503 and 429 tell an agent to come back; 401 to 410 refuse it.',
      unit: 'reqps',
      lines: [
        { expr: rate('warren_tunnels_agent_dials_total', 'status', 'carrier'), legend: '{{status}} {{carrier}}' },
      ],
    },
    {
      title: 'Links that ended',
      about: 'Without a newer link of the same device.',
      unit: 'reqps',
      lines: [{ expr: rate('warren_tunnels_agent_links_ended_total'), legend: 'ended' }],
    },
    {
      title: 'From dial to link',
      about: 'How long it takes an agent to be let in.',
      unit: 's',
      lines: [
        { expr: quantile(0.5, 'warren_tunnels_agent_dial_seconds'), legend: 'p50', emptyWhen: NO_DIALS },
        { expr: quantile(0.95, 'warren_tunnels_agent_dial_seconds'), legend: 'p95', emptyWhen: NO_DIALS },
      ],
    },
    {
      title: 'Round trip to the devices',
      about: 'Of a PING through each link, every 9 seconds.',
      unit: 's',
      lines: [
        { expr: quantile(0.5, 'warren_tunnels_agent_rtt_seconds'), legend: 'p50' },
        { expr: quantile(0.95, 'warren_tunnels_agent_rtt_seconds'), legend: 'p95' },
      ],
    },
    {
      title: 'Presence lag',
      about: 'From the coming or going of a link to the lists knowing.',
      unit: 's',
      lines: [
        {
          expr: quantile(0.95, 'warren_devices_presence_lag_seconds', 'change'),
          legend: 'p95 {{change}}',
          emptyWhen: 'no device came or went',
        },
      ],
    },
    {
      title: 'Devices of rollouts',
      about: 'By state, as the rollouts of the agent show them; what changed within a day.',
      unit: 'short',
      lines: [
        {
          expr: 'max by (state) (warren_devices_rollout_devices) > 0',
          legend: '{{state}}',
          emptyWhen: 'no rollout moved within a day',
        },
      ],
    },
    {
      title: 'Bulk jobs',
      about: 'Jobs that run, and devices on which they have taken their action, each second.',
      unit: 'short',
      lines: [
        { expr: 'max(warren_devices_bulk_jobs_running)', legend: 'jobs' },
        {
          expr: rate('warren_devices_bulk_devices_total', 'result'),
          legend: '{{result}} a second',
          emptyWhen: 'no bulk job has run',
        },
      ],
    },
    {
      title: 'Samples of devices',
      about: 'Measurements that the fleet service stores, and those of another time than now, which it leaves out.',
      unit: 'reqps',
      lines: [
        { expr: rate('warren_fleet_samples_stored_total'), legend: 'stored' },
        { expr: rate('warren_fleet_samples_dropped_total'), legend: 'left out' },
      ],
    },
    {
      title: 'History of metrics kept',
      about: 'Since a process of fleet last saw all samples summed up that are due.',
      unit: 's',
      lines: [{ expr: 'time() - max(warren_fleet_history_kept_timestamp_seconds)', legend: 'ago' }],
    },
    {
      title: 'Samples for the metrics store',
      about: 'Remote write, each second, by result; none without a metrics store.',
      unit: 'short',
      lines: [{ expr: rate('warren_fleet_remote_write_samples_total', 'result'), legend: '{{result}}' }],
    },
    {
      title: 'Queue for the metrics store',
      about: 'Samples that wait for remote write, of all processes.',
      unit: 'bytes',
      lines: [{ expr: 'sum(warren_fleet_remote_write_queue_bytes)', legend: 'waiting' }],
    },
    {
      title: 'Outage of remote write',
      about:
        'For how long the metrics store, or the devices service with the names, has not answered, in the process where it began first.',
      unit: 's',
      lines: [
        {
          expr: 'time() - min(warren_fleet_remote_write_failing_since_timestamp_seconds > 0)',
          legend: 'not answering',
          emptyWhen: 'both answer',
        },
      ],
    },
    {
      title: 'Open alerts',
      about: 'Of all accounts, by severity.',
      unit: 'short',
      lines: [{ expr: 'max by (severity) (warren_fleet_alerts_open)', legend: '{{severity}}' }],
    },
    {
      title: 'Alert rules evaluated',
      about: 'Since all alert rules were last looked at, and how long that takes.',
      unit: 's',
      lines: [
        { expr: 'time() - max(warren_fleet_alerts_evaluated_timestamp_seconds)', legend: 'ago' },
        {
          expr: quantile(0.95, 'warren_fleet_alert_pass_duration_seconds'),
          legend: 'p95 of a pass',
          emptyWhen: 'no pass ended yet',
        },
      ],
    },
    {
      title: 'Failed passes over alert rules',
      about: 'Devices could not be asked, or the database did not answer. Alerts stay as they are.',
      unit: 'short',
      lines: [{ expr: 'sum(increase(warren_fleet_alert_pass_failures_total[$__rate_interval]))', legend: 'failed' }],
    },
    {
      title: 'Notifications',
      about: 'Messages about alerts that wait for an attempt, and those of the last day whose attempts all failed.',
      unit: 'short',
      lines: [
        { expr: 'max(warren_fleet_notifications_waiting)', legend: 'waiting' },
        { expr: 'max(warren_fleet_notifications_failed)', legend: 'failed' },
      ],
    },
    {
      title: 'Notification attempts',
      about:
        'By kind of channel and result. One receiver that is away fails by itself; all of a kind point to the hub.',
      unit: 'reqps',
      lines: [
        {
          expr: rate('warren_fleet_notification_attempts_total', 'kind', 'result'),
          legend: '{{kind}} {{result}}',
        },
      ],
    },
    {
      title: 'Notifications behind',
      about: 'Age of the oldest message that waits, and how long an attempt has been due that nobody made.',
      unit: 's',
      lines: [
        { expr: 'max(warren_fleet_notifications_oldest_seconds)', legend: 'oldest' },
        { expr: 'max(warren_fleet_notifications_overdue_seconds)', legend: 'overdue' },
      ],
    },
    {
      title: 'Audit events',
      about: 'Stored events.',
      unit: 'reqps',
      lines: [{ expr: rate('warren_audit_events_recorded_total'), legend: 'stored' }],
    },
    {
      title: 'Storing audit events',
      about: 'How long it takes to store a batch of events.',
      unit: 's',
      lines: [
        {
          expr: quantile(0.95, 'warren_audit_recording_seconds'),
          legend: 'p95',
          emptyWhen: 'nothing was stored lately',
        },
      ],
    },
    {
      title: 'Audit trail kept',
      about: 'Since all chains were last verified, and since events past their retention were last removed.',
      unit: 's',
      lines: [
        { expr: 'time() - max(warren_audit_verified_timestamp_seconds)', legend: 'verified' },
        { expr: 'time() - max(warren_audit_retention_timestamp_seconds)', legend: 'removed' },
      ],
    },
    {
      title: 'Broken audit chains',
      about: 'Accounts in whose audit events the last verification found a removed or changed one.',
      unit: 'short',
      lines: [{ expr: 'max(warren_audit_chains_broken)', legend: 'accounts' }],
    },
    {
      title: 'Audit streams',
      about:
        'Events that receivers took, and those that retention removed before, and failed deliveries, each second; streams whose last delivery failed.',
      unit: 'short',
      lines: [
        { expr: 'sum(rate(warren_audit_stream_events_total[$__rate_interval]))', legend: 'delivered' },
        { expr: 'sum(rate(warren_audit_stream_skipped_total[$__rate_interval]))', legend: 'removed before' },
        {
          expr: 'sum(rate(warren_audit_stream_deliveries_total{outcome="failed"}[$__rate_interval]))',
          legend: 'failed deliveries',
        },
        { expr: 'max(warren_audit_streams_failing)', legend: 'failing streams' },
      ],
    },
    {
      title: 'Devices lost with a replica',
      about: 'Marked as disconnected because their replica died and they did not come back in time.',
      unit: 'short',
      lines: [{ expr: 'sum(increase(warren_devices_lost_total[$__rate_interval]))', legend: 'lost' }],
    },
  ],
};
