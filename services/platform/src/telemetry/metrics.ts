import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Every metric of the process. Names stand in this folder only. */
export const registry = new Registry();
collectDefaultMetrics({ register: registry });

export const rpcDuration = new Histogram({
  name: 'warren_rpc_duration_seconds',
  help: 'Time to answer a call between services, by method and result code.',
  labelNames: ['service', 'method', 'code'] as const,
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
  registers: [registry],
});

export const eventsHandled = new Histogram({
  name: 'warren_event_handling_seconds',
  help: 'Time to handle an event, by kind and result.',
  labelNames: ['kind', 'result'] as const,
  buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2],
  registers: [registry],
});
