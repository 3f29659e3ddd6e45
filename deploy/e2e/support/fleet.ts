import type { APIRequestContext } from '@playwright/test';
import { SecondAgent } from './agent.ts';
import { enrolmentToken } from './api.ts';
import { enrolDevice, type MadeDevice } from './enrol.ts';
import { reportPast } from './past.ts';

/** Devices that are away. */
const away: Record<string, MadeDevice[]> = {
  'Meadow Farms': [
    { hostname: 'barn-camera-03', ip: '10.14.0.23' },
    { hostname: 'irrigation-east', ip: '10.14.0.41' },
  ],
  'Harbour Lab': [
    { hostname: 'bench-07', ip: '10.31.2.17' },
    { hostname: 'tide-gauge', ip: '10.31.2.60' },
  ],
};

/** Devices whose agent runs on this machine under the device's name. */
const present: Record<string, string[]> = {
  'Meadow Farms': ['greenhouse-01', 'greenhouse-02', 'weather-mast'],
  'Harbour Lab': ['bench-01', 'crane-gateway'],
};

/**
 * Enrols a small fleet, for pictures that show a hub at work.
 * @param request of a SuperAdmin
 * @returns what ends its agents
 */
export async function makeFleet(
  request: APIRequestContext,
  hub: string,
  accountId: (name: string) => string,
): Promise<() => Promise<void>> {
  const agents: SecondAgent[] = [];
  for (const [name, list] of Object.entries(away)) {
    const account = accountId(name);
    const { token } = await enrolmentToken(request, hub, account, list.length);
    for (const made of list) await enrolDevice(request, account, token, made);
  }
  for (const [name, hosts] of Object.entries(present)) {
    const { command } = await enrolmentToken(request, hub, accountId(name), hosts.length);
    for (const host of hosts) agents.push(await SecondAgent.install(command, host));
  }
  // Charts have a day to show.
  await Promise.all(agents.map(({ state }) => reportPast(state)));
  for (const agent of agents) agent.start();
  return async () => void (await Promise.all(agents.map((agent) => agent.remove())));
}
