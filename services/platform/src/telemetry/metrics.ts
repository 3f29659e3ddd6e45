import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { together } from '../process/together.ts';

/** All metrics of the process. They are named in the `metrics.ts` of each service and here; docs/watch.md explains them. */
export const registry = new Registry();
/** Sampling interval of the event loop's lag, which each figure includes. Each sample wakes the process. */
const EVENT_LOOP_MS = 500;
collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_MS });

const registers = [registry];
const RPC_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

const buildInfo = new Gauge({
  name: 'warren_build_info',
  help: 'Always 1; the version that this process runs.',
  labelNames: ['component', 'version'] as const,
  registers,
});

/** Measures the disk that the process has its files on; in a container that is where the engine has its data. */
function ofDisk(name: string, help: string, blocksOf: (disk: StatsFs) => number): Gauge {
  return new Gauge({
    name,
    help,
    registers,
    async collect() {
      const disk = await statfs('/');
      this.set(blocksOf(disk) * disk.bsize);
    },
  });
}
ofDisk('warren_disk_size_bytes', 'Size of the disk that this process has its files on.', ({ blocks }) => blocks);
ofDisk(
  'warren_disk_available_bytes',
  'What is free on the disk that this process has its files on.',
  ({ bavail }) => bavail,
);

/**
 * Labels every series with its service, whatever scrapes it. In a process with several services, series of one service have a separate
 * service label; the others belong to the process.
 */
export function describeProcess(service: string, version: string): void {
  registry.setDefaultLabels({ component: together()?.name ?? service });
  buildInfo.set({ component: service, version }, 1);
}

export const rpcServed = new Histogram({
  name: 'warren_rpc_server_duration_seconds',
  help: 'Time to answer a call between services, by service, method and result code.',
  labelNames: ['rpc_service', 'rpc_method', 'code'] as const,
  buckets: RPC_BUCKETS,
  registers,
});

export const rpcCalled = new Histogram({
  name: 'warren_rpc_client_duration_seconds',
  help: 'Time that a caller waited for the answer to a call, by service, method and result code.',
  labelNames: ['rpc_service', 'rpc_method', 'code'] as const,
  buckets: RPC_BUCKETS,
  registers,
});

export const rpcInFlight = new Gauge({
  name: 'warren_rpc_server_in_flight',
  help: 'Calls that this process works on now.',
  registers,
});

export const eventsHandled = new Histogram({
  name: 'warren_event_handling_seconds',
  help: 'Time to handle an event, by kind and result.',
  labelNames: ['kind', 'result'] as const,
  buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2],
  registers,
});

export const eventAge = new Histogram({
  name: 'warren_event_age_seconds',
  help: 'Age of an event when its handling begins, by kind; tries that follow a failure are not counted.',
  labelNames: ['kind'] as const,
  buckets: [0.005, 0.025, 0.1, 0.5, 1, 2, 5, 15, 60, 600],
  registers,
});

export const eventsPending = new Gauge({
  name: 'warren_event_consumer_pending',
  help: 'Events that wait for this service in JetStream, by state: not delivered yet, or delivered and not acknowledged. The same in every replica.',
  labelNames: ['component', 'state'] as const,
  registers,
});

export const eventStreamBytes = new Gauge({
  name: 'warren_event_stream_bytes',
  help: 'Bytes that the stream of events takes in JetStream; the same in every replica.',
  registers,
});

export const eventStreamMax = new Gauge({
  name: 'warren_event_stream_max_bytes',
  help: 'Bytes that the stream of events may take before its oldest events go.',
  registers,
});

export const outboxWaiting = new Gauge({
  name: 'warren_outbox_waiting',
  help: 'Events that are committed and not published yet, counted up to 10,000; the same in every replica.',
  labelNames: ['component'] as const,
  registers,
});

export const outboxAge = new Gauge({
  name: 'warren_outbox_oldest_seconds',
  help: 'Age of the oldest event that is not published yet, 0 when none waits; the same in every replica.',
  labelNames: ['component'] as const,
  registers,
});

export const queueJobs = new Gauge({
  name: 'warren_queue_jobs',
  help: 'Jobs in a BullMQ queue, by queue and state; the same in every replica.',
  labelNames: ['queue', 'state'] as const,
  registers,
});

export const dependencyUp = new Gauge({
  name: 'warren_dependency_up',
  help: 'Whether what this process needs answered when it was last asked: 1, or 0.',
  labelNames: ['component', 'dependency'] as const,
  registers,
});

export const dependencySeconds = new Gauge({
  name: 'warren_dependency_check_seconds',
  help: 'How long the last check of a dependency took.',
  labelNames: ['component', 'dependency'] as const,
  registers,
});

export const databaseConnections = new Gauge({
  name: 'warren_database_connections',
  help: 'Connections of the pool, by state: in use, or idle.',
  labelNames: ['component', 'state'] as const,
  registers,
});

export const databaseWaiting = new Gauge({
  name: 'warren_database_pool_waiting',
  help: 'Queries that wait for a connection of the pool.',
  labelNames: ['component'] as const,
  registers,
});

export const databasePoolMax = new Gauge({
  name: 'warren_database_pool_max',
  help: 'Connections that the pool may hold open.',
  labelNames: ['component'] as const,
  registers,
});

export const schemaMigrations = new Gauge({
  name: 'warren_database_migrations',
  help: 'Migrations by which this process and its database differ, by state: pending (the database lacks them), or unknown (the process does).',
  labelNames: ['component', 'state'] as const,
  registers,
});

export const redisMemory = new Gauge({
  name: 'warren_redis_memory_used_bytes',
  help: 'Memory that Redis uses, as it says itself; not measured of a cluster. The same in every replica.',
  registers,
});

export const redisMemoryMax = new Gauge({
  name: 'warren_redis_memory_max_bytes',
  help: 'Memory that Redis may use (maxmemory); 0 if it has no limit.',
  registers,
});
