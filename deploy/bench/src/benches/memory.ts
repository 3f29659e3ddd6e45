import type { Warren } from '@warren/local/warren';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Lab } from '../lab.ts';
import { hub, services } from '@warren/local/settings';
import { usages } from '../probes/processes.ts';
import { enrolFleet } from '../simulator/enrol.ts';
import { gatewaysFor, hubsBy, type Way } from '../simulator/gateways.ts';
import { FleetProcess } from '../simulator/process.ts';
import type { Row } from '../table.ts';

const SMALL_FLEET = 1_000;
/** Devices of a hub on one small machine. */
const SMALL_HUB = 200;
/** Time until facts are read and garbage of the dials is collected. */
const SETTLE_MS = 30_000;
const FACTS_MS_EACH = 10;
const KB = 1_024;
const MB = 1_000_000;

async function resident(warren: Warren): Promise<{ tunnels: number; gateways: number }> {
  const names = warren.processes().filter((name) => name === 'tunnels' || name.startsWith('gateway'));
  const used = await usages(Object.fromEntries(names.map((name) => [name, warren.process(name).pid])));
  const bytes = (wanted: (name: string) => boolean) =>
    Object.entries(used).reduce((sum, [name, { residentBytes }]) => sum + (wanted(name) ? residentBytes : 0), 0);
  return { tunnels: bytes((name) => name === 'tunnels'), gateways: bytes((name) => name !== 'tunnels') };
}

/** Measures the growth of the hub per idle link, in new processes. */
async function measure(lab: Lab, agents: number, way: Way): Promise<Row> {
  const settings = { WARREN_GATEWAY_REPLICAS: String(way === 'gateways' ? gatewaysFor(agents) : 1) };
  const warren = await lab.own('fleet', { agent: false }, settings);
  const enrolled = await enrolFleet(warren, agents);
  const before = await resident(warren);
  const hubs = hubsBy(way, warren);
  const fleet = await FleetProcess.start({ ...enrolled, hubs, agents, rampMs: agents * 2 });
  try {
    await fleet.linked(agents, lab.choice.patience * 1_000);
    await sleep(SETTLE_MS + agents * FACTS_MS_EACH);
    const after = await resident(warren);
    const each = (name: 'tunnels' | 'gateways') => (after[name] - before[name]) / agents / KB;
    const [held, relayed] = [each('tunnels'), each('gateways')];
    return { name: `${agents} agents, by ${way}`, values: [held, relayed, held + relayed] };
  } finally {
    await fleet.stop();
    await warren.stop();
  }
}

/** Measures all services with a small fleet, by the number of processes. */
async function small(lab: Lab, shape: 'together' | 'apart'): Promise<Row> {
  const warren = await lab.own('small', { agent: false }, { WARREN_SERVICES: shape });
  const enrolled = await enrolFleet(warren, SMALL_HUB);
  const fleet = await FleetProcess.start({
    ...enrolled,
    hubs: hubsBy('tunnels', warren),
    agents: SMALL_HUB,
    rampMs: 0,
  });
  const names: string[] = shape === 'together' ? [hub] : [...services];
  const look = () => usages(Object.fromEntries(names.map((name) => [name, warren.process(name).pid])));
  const sum = (used: Awaited<ReturnType<typeof look>>, what: 'cpuS' | 'residentBytes') =>
    Object.values(used).reduce((all, one) => all + one[what], 0);
  try {
    await fleet.linked(SMALL_HUB, lab.choice.patience * 1_000);
    await sleep(SETTLE_MS);
    const before = await look();
    await sleep(SETTLE_MS);
    const after = await look();
    const share = ((sum(after, 'cpuS') - sum(before, 'cpuS')) / SETTLE_MS) * 100_000;
    return {
      name: `${names.length} process${names.length > 1 ? 'es' : ''}`,
      values: [sum(after, 'residentBytes') / MB, share],
    };
  } finally {
    await fleet.stop();
    await warren.stop();
  }
}

/** Measures the memory of an idle agent, in its process of tunnels and in the gateways that relay it. */
export const memory: Bench = {
  run: async (lab) => {
    const { agents } = lab.choice;
    const fleets = agents > SMALL_FLEET ? [SMALL_FLEET, agents] : [agents];
    const rows: Row[] = [];
    for (const count of fleets) {
      for (const way of lab.choice.ways) rows.push(await measure(lab, count, way));
    }
    const shapes = [await small(lab, 'together'), await small(lab, 'apart')];
    return [
      {
        title: `All services with ${SMALL_HUB} devices linked`,
        notes: ['A minute after the start; no user is signed in. Memory that processes share counts once for each.'],
        head: ['resident, MB', 'processor, %'],
        rows: shapes,
        ratio: false,
      },
      {
        title: 'Memory of an idle agent in the hub',
        notes: [
          'Resident memory half a minute after the facts of all have come, less that before the first dial, for each agent; nothing has it collected.',
          'By tunnels: `/agent/connect` goes straight to the replicas, as an ingress may send it; the gateways relay nothing then.',
        ],
        head: ['tunnels, KB', 'gateways, KB', 'hub, KB'],
        rows,
        ratio: false,
      },
    ];
  },
};
