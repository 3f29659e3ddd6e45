import { operatorEmail } from '@warren/local/people';
import type { Warren } from '@warren/local/warren';
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn, type Hub } from '../hub.ts';
import type { Bench, Lab, Report } from '../lab.ts';
import { usages } from '../probes/processes.ts';
import { percentile } from '../stats.ts';
import { enrolFleet } from '../simulator/enrol.ts';
import { gatewaysFor, hubsBy, type Way } from '../simulator/gateways.ts';
import { FleetProcess } from '../simulator/process.ts';
import type { Row } from '../table.ts';
import { warren as terminals } from '../targets/warren.ts';

const SMALL_FLEET = 200;
const OPEN_EVERY_MS = 250;
const SERVICES = ['identity', 'tenancy', 'devices', 'fleet', 'tunnels', 'gateway', 'gateway-2'];
const WATCHED = [...SERVICES, 'redis', 'nats', 'postgres'];

interface Storm {
  warren: Warren;
  fleet: FleetProcess;
  hub: Hub;
  agents: number;
  patienceMs: number;
}

/** Tells whether so many devices show as connected, by the last of them in a list with connected ones first. */
async function shown({ hub, agents }: Storm): Promise<boolean> {
  const path = `/api/devices?sort=status&order=asc&limit=1&page=${agents}`;
  const answer = await hub.get<{ devices: { status: string }[] }>(path).catch(() => undefined);
  return answer?.devices[0]?.status === 'Connected';
}

/** Opens terminals of linked devices until aborted. @returns milliseconds of each */
async function openTerminals({ hub, fleet }: Storm, signal: AbortSignal) {
  const times: number[] = [];
  let failed = 0;
  while (!signal.aborted) {
    const device = await fleet.pick();
    const begun = performance.now();
    if (device !== undefined) {
      await terminals(hub, device, hub.url)
        .open()
        .then((terminal) => {
          times.push(performance.now() - begun);
          return terminal.close();
        })
        // The hub may not be back, or may not know the device's new link yet.
        .catch(() => failed++);
    }
    await sleep(OPEN_EVERY_MS);
  }
  return { times, failed };
}

/** Kills processes, and waits until the whole fleet is back and shown as connected. */
async function measure(storm: Storm, name: string, kill: string[]): Promise<{ row: Row; notes: string[] }> {
  const { warren, fleet, agents, patienceMs } = storm;
  const pids = (names: string[]) => Object.fromEntries(names.map((one) => [one, warren.process(one).pid]));
  const known = WATCHED.filter((one) => warren.processes().includes(one));
  await fleet.reset();
  const before = await usages({ ...pids(known), simulator: fleet.pid });
  const killed = kill.filter((one) => known.includes(one));
  const begun = Date.now();
  for (const one of killed) warren.process(one).kill('SIGKILL');
  while ((await fleet.count()) > agents / 2) await sleep(20);
  const done = new AbortController();
  const opening = openTerminals(storm, done.signal);
  // Late agents are reported separately from the figures of the others.
  const stats = await fleet.linked(agents, patienceMs).catch(() => fleet.stats());
  let all = stats.linked >= agents;
  while (all && !(await shown(storm))) {
    await sleep(50);
    all = Date.now() - begun < 2 * patienceMs;
  }
  const shownS = (Date.now() - begun) / 1_000;
  done.abort();
  const { times, failed } = await opening;
  const after = await usages({ ...pids(known), simulator: fleet.pid });
  const cost = Object.entries(after).map(([one, { cpuS }]) => {
    const used = cpuS - (killed.includes(one) ? 0 : (before[one]?.cpuS ?? 0));
    return `${one} ${used.toFixed(1)}`;
  });
  const refused = Object.entries(stats.refused).map(([status, count]) => `${count} × ${status}`);
  const values = [
    stats.linked >= agents ? (stats.lastLinkAt - begun) / 1_000 : undefined,
    all ? shownS : undefined,
    times.length > 0 ? percentile(times, 0.5) : undefined,
    times.length > 0 ? percentile(times, 1) : undefined,
  ];
  const missing = agents - stats.linked;
  const late = missing > 0 ? `${missing} agents were not back after ${patienceMs / 1_000} s; ` : '';
  const opened = `${late}${times.length} terminals opened, ${failed} not`;
  const notes = [`${name}: ${opened}; dials refused: ${refused.join(', ')}; processor seconds: ${cost.join(', ')}.`];
  return { row: { name, values }, notes };
}

async function link(lab: Lab, warren: Warren, agents: number, way: Way): Promise<Storm> {
  const enrolled = await enrolFleet(warren, agents);
  const fleet = await FleetProcess.start({ ...enrolled, hubs: hubsBy(way, warren), agents, rampMs: agents * 2 });
  lab.atEnd(() => fleet.stop());
  const hub = await signIn(warren.urls.hub, operatorEmail);
  const patienceMs = lab.choice.patience * 1_000;
  const storm = { warren, fleet, hub, agents, patienceMs };
  await fleet.linked(agents, patienceMs);
  while (!(await shown(storm))) await sleep(100);
  return storm;
}

async function storms(lab: Lab, warren: Warren, agents: number, way: Way): Promise<Report> {
  const storm = await link(lab, warren, agents, way);
  const results = [
    await measure(storm, 'tunnels killed', ['tunnels']),
    await measure(storm, 'all services killed', SERVICES),
  ];
  await storm.fleet.stop();
  return {
    title: `Storm: ${agents} simulated agents come back after kill -9, by ${way}`,
    head: ['last link, s', 'all shown, s', 'terminal open p50, ms', 'longest, ms'],
    rows: results.map(({ row }) => row),
    notes: results.flatMap(({ notes }) => notes),
    ratio: false,
  };
}

/** Measures how long a fleet takes to reconnect, and the effect on people meanwhile. */
export const storm: Bench = {
  run: async (lab) => {
    const { agents } = lab.choice;
    const settings = { WARREN_GATEWAY_REPLICAS: String(gatewaysFor(agents)) };
    const warren = await lab.own('fleet', { agent: false }, settings);
    const reports = [await storms(lab, warren, Math.min(SMALL_FLEET, agents), 'gateways')];
    if (agents <= SMALL_FLEET) return reports;
    for (const way of lab.choice.ways) reports.push(await storms(lab, warren, agents, way));
    return reports;
  },
};
