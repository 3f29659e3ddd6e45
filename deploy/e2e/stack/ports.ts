import { randomInt } from 'node:crypto';
import { portRefusal } from '@warren/infra/ports';
import { defaultPorts, moreReplicas, portsOfReplica, type PortName, type Settings } from '@warren/local/settings';

/** All ports move together, and stay below those that the kernel gives to outgoing connections (32768 and up). */
const nearest = 1000;
const farthest = 16_000;
const attempts = 50;
/** `fetch` and browsers call no server on it (Fetch Standard, 'port blocking'). */
const blocked = 10_080;
/** The most replicas of a service that a test starts. */
const most = 3;
/** Runs side by side, as the Makefile names them. */
const lanes = ['e2e-machines', 'e2e-healing', 'e2e-console-1', 'e2e-console-2', 'e2e-axe'];

type Replicas = Settings['replicas'];

function portsOf(replicas: Replicas): number[] {
  const first = (Object.keys(defaultPorts) as PortName[]).map((name) => ({ name, replica: 1 }));
  return [...first, ...moreReplicas({ replicas })].map(
    ({ name, replica }) => portsOfReplica(defaultPorts, replica)[name],
  );
}

/**
 * Copies that lie a multiple of this apart have no port in common, which of them ever listens first: a port that is free when it is
 * looked at may be another copy's a second later.
 */
const step = (() => {
  const ports = portsOf({ gateway: most, tunnels: most });
  const apart = ports.flatMap((one) => ports.map((other) => Math.abs(one - other))).filter((distance) => distance > 0);
  let length = 2;
  while (apart.some((distance) => distance % length === 0)) length++;
  return length;
})();

async function free(replicas: Replicas, shift: number): Promise<boolean> {
  const ports = portsOf(replicas).map((port) => port + shift);
  if (ports.includes(blocked)) return false;
  const refusals = await Promise.all(ports.map((port) => portRefusal('127.0.0.1', port)));
  return refusals.every((refusal) => refusal === undefined);
}

/** A port for the gateway beside which every other process of a copy finds its own port free. Runs side by side never get the same. */
export async function freeBase(replicas: Replicas): Promise<number> {
  const lane = Math.max(0, lanes.indexOf(process.env['WARREN_LANE'] ?? ''));
  const places = Math.floor((farthest - nearest) / step / lanes.length);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const shift = nearest + (randomInt(places) * lanes.length + lane) * step;
    if (await free(replicas, shift)) return defaultPorts.gateway + shift;
  }
  throw new Error(`no free set of ports between ${nearest} and ${farthest} above the usual ones`);
}
