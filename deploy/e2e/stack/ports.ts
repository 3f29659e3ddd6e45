import { randomInt } from 'node:crypto';
import { portRefusal } from '@warren/infra/ports';
import { defaultPorts } from '@warren/local/settings';

/** All ports move together, and stay below those that the kernel gives to outgoing connections (32768 and up). */
const nearest = 1000;
const farthest = 16_000;
const attempts = 50;

async function free(shift: number): Promise<boolean> {
  const refusals = await Promise.all(Object.values(defaultPorts).map((port) => portRefusal('127.0.0.1', port + shift)));
  return refusals.every((refusal) => refusal === undefined);
}

/** A port for the gateway beside which every other process of a copy finds its own port free. */
export async function freeBase(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const shift = randomInt(nearest, farthest);
    if (await free(shift)) return defaultPorts.gateway + shift;
  }
  throw new Error(`no free set of ports between ${nearest} and ${farthest} above the usual ones`);
}
