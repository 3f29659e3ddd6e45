import { registry } from '@warren/platform/telemetry/metrics';
import { Counter, Gauge } from 'prom-client';

const registers = [registry];

export const upgradesTotal = new Counter({
  name: 'warren_gateway_upgrades_total',
  help: 'Upgrade requests, by what they were for and the status they were answered with.',
  labelNames: ['kind', 'status'] as const,
  registers,
});

export const relaysOpen = new Gauge({
  name: 'warren_gateway_relays_open',
  help: 'Connections that are passed through to tunnels replicas now, by what they are for.',
  labelNames: ['kind'] as const,
  registers,
});

export const relayBytes = new Counter({
  name: 'warren_gateway_relay_bytes_total',
  help: 'Bytes of connections that have ended, by what they were for and direction (in: towards tunnels).',
  labelNames: ['kind', 'direction'] as const,
  registers,
});

for (const kind of ['socket', 'agent', 'web']) {
  relaysOpen.set({ kind }, 0);
  for (const direction of ['in', 'out']) relayBytes.inc({ kind, direction }, 0);
}
