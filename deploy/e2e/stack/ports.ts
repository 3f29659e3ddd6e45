import { randomInt } from 'node:crypto';
import { portRefusal } from '@warren/infra/ports';
import { defaultPorts, moreReplicas, portsOfReplica, type PortName, type Settings } from '@warren/local/settings';

/** All ports move together, and stay below those that the kernel gives to outgoing connections (32768 and up). */
const nearest = 1000;
const farthest = 16_000;
const attempts = 50;

type Replicas = Settings['replicas'];

async function free(replicas: Replicas, shift: number): Promise<boolean> {
  const first = (Object.keys(defaultPorts) as PortName[]).map((name) => ({ name, replica: 1 }));
  const all = [...first, ...moreReplicas({ replicas })];
  const ports = all.map(({ name, replica }) => portsOfReplica(defaultPorts, replica)[name] + shift);
  const refusals = await Promise.all(ports.map((port) => portRefusal('127.0.0.1', port)));
  return refusals.every((refusal) => refusal === undefined);
}

/** A port for the gateway beside which every other process of a copy finds its own port free. */
export async function freeBase(replicas: Replicas): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const shift = randomInt(nearest, farthest);
    if (await free(replicas, shift)) return defaultPorts.gateway + shift;
  }
  throw new Error(`no free set of ports between ${nearest} and ${farthest} above the usual ones`);
}
