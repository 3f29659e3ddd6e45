import type { Board } from '../dashboard.ts';
import { OURS, quantile, rate } from '../promql.ts';

export const dependencies: Board = {
  uid: 'warren-dependencies',
  title: 'Warren / Dependencies',
  about: 'PostgreSQL, Redis, NATS and mail as the services see them, and the processes themselves.',
  panels: [
    {
      title: 'Dependencies that answer',
      about: '1: answered the last scrape. `lease` is a replica of tunnels keeping its place in Redis.',
      unit: 'short',
      lines: [
        { expr: 'min by (component, dependency) (warren_dependency_up)', legend: '{{component}}: {{dependency}}' },
      ],
    },
    {
      title: 'How long they take',
      about: 'For the smallest question there is.',
      unit: 's',
      lines: [
        {
          expr: 'max by (component, dependency) (warren_dependency_check_seconds)',
          legend: '{{component}}: {{dependency}}',
        },
      ],
    },
    {
      title: 'Database connections',
      about: 'Of all processes of a service.',
      unit: 'short',
      lines: [
        { expr: 'sum by (component, state) (warren_database_connections)', legend: '{{component}} {{state}}' },
        { expr: 'sum by (component) (warren_database_pool_max > 0)', legend: '{{component}} most' },
      ],
    },
    {
      title: 'Queries that wait for a connection',
      about: 'More than a moment of it: the pool is too small, or the database slow.',
      unit: 'short',
      lines: [{ expr: 'sum by (component) (warren_database_pool_waiting)', legend: '{{component}}' }],
    },
    {
      title: 'Events that wait',
      about: 'In JetStream for a service, and in the outboxes for JetStream.',
      unit: 'short',
      lines: [
        { expr: 'max by (component, state) (warren_event_consumer_pending)', legend: '{{component}} {{state}}' },
        { expr: 'max by (component) (warren_outbox_waiting)', legend: '{{component}} outbox' },
      ],
    },
    {
      title: 'Stream of events',
      about: 'What JetStream keeps of the last seven days, at most up to the limit.',
      unit: 'bytes',
      lines: [
        { expr: 'max(warren_event_stream_bytes)', legend: 'kept' },
        { expr: 'max(warren_event_stream_max_bytes)', legend: 'limit' },
      ],
    },
    {
      title: 'Memory of Redis',
      about: 'A full Redis refuses writes: sign-in fails.',
      unit: 'bytes',
      lines: [
        { expr: 'max(warren_redis_memory_used_bytes)', legend: 'used' },
        { expr: 'max(warren_redis_memory_max_bytes) > 0', legend: 'limit', emptyWhen: 'it has no maxmemory' },
      ],
    },
    {
      title: 'Free disk',
      about: 'Where the services have their files: with Compose also the data of PostgreSQL, Redis and NATS.',
      unit: 'percentunit',
      lines: [
        {
          expr: 'min by (component) (warren_disk_available_bytes / warren_disk_size_bytes)',
          legend: '{{component}}',
        },
      ],
    },
    {
      title: 'Age of events',
      about: 'When their handling begins, and of the oldest one that waits in an outbox.',
      unit: 's',
      lines: [
        {
          expr: quantile(0.95, 'warren_event_age_seconds', 'component'),
          legend: 'p95 {{component}}',
          emptyWhen: 'no event came',
        },
        { expr: 'max by (component) (warren_outbox_oldest_seconds)', legend: 'outbox {{component}}' },
      ],
    },
    {
      title: 'Handling of events',
      about: 'What failed is tried again.',
      unit: 'reqps',
      lines: [
        {
          expr: rate('warren_event_handling_seconds_count', 'component', 'kind', 'result'),
          legend: '{{component}} {{kind}} {{result}}',
        },
      ],
    },
    {
      title: 'Jobs',
      about: 'In the queues of BullMQ. `delayed` waits for its next try.',
      unit: 'short',
      lines: [{ expr: 'max by (queue, state) (warren_queue_jobs)', legend: '{{queue}} {{state}}' }],
    },
    {
      title: 'Mails',
      about: 'Tries a second, and mails that are due and not out.',
      unit: 'short',
      lines: [
        { expr: rate('warren_tenancy_mails_total', 'result'), legend: '{{result}} a second' },
        { expr: 'max(warren_tenancy_mails_waiting)', legend: 'waiting' },
      ],
    },
    {
      title: 'Access requests',
      about: 'Steps in an hour. Many that expire: approvers do not see them.',
      unit: 'short',
      lines: [{ expr: 'sum by (step) (increase(warren_tenancy_access_requests_total[1h]))', legend: '{{step}}' }],
    },
    {
      title: 'Lag of the event loop',
      about: '99th percentile since the last scrape. Above a quarter of a second people feel it.',
      unit: 's',
      lines: [
        { expr: `max by (component) (nodejs_eventloop_lag_p99_seconds{${OURS}}) - 0.5`, legend: '{{component}}' },
      ],
    },
    {
      title: 'Memory',
      about: 'Resident, of each process.',
      unit: 'bytes',
      lines: [{ expr: `process_resident_memory_bytes{${OURS}}`, legend: '{{component}} {{instance}}' }],
    },
    {
      title: 'Processors',
      about: 'A process of Node uses one, and a little more for collecting memory.',
      unit: 'percentunit',
      lines: [
        {
          expr: rate(`process_cpu_seconds_total{${OURS}}`, 'component', 'instance'),
          legend: '{{component}} {{instance}}',
        },
      ],
    },
  ],
};
