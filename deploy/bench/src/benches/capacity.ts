import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Lab, Report } from '../lab.ts';
import { usages, type Usage } from '../probes/processes.ts';
import { served, startCountedNats, type Served } from '../probes/servers.ts';
import { enrolFleet } from '../simulator/enrol.ts';
import { hubsBy } from '../simulator/gateways.ts';
import { FleetProcess } from '../simulator/process.ts';
import type { Row } from '../table.ts';

const SMALL_FLEET = 1_000;
/** Time until facts are read and garbage of the dials is collected. */
const SETTLE_MS = 30_000;
const FACTS_MS_EACH = 10;
/** The interval of unchanged facts, so that each device's are counted once. */
const MEASURED_MS = 300_000;
const MB = 1_000_000;
const WATCHED = ['postgres', 'redis', 'identity', 'tenancy', 'devices', 'fleet', 'tunnels', 'gateway'];

interface Measured {
  agents: number;
  seconds: number;
  processes: { name: string; share: number; residentBytes: number }[];
  /** Without agents, and with all. */
  empty: Served;
  before: Served;
  after: Served;
}

/** Measures the cost of an idle fleet in every process and server, linked directly to tunnels. */
async function measure(lab: Lab, agents: number): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'warren-capacity-'));
  lab.atEnd(() => rm(folder, { recursive: true, force: true }));
  const nats = await startCountedNats(folder);
  lab.atEnd(() => nats.stop());
  const warren = await lab.own('capacity', { agent: false }, { WARREN_NATS_URL: nats.url });
  const enrolled = await enrolFleet(warren, agents);
  const pids = Object.fromEntries(WATCHED.map((name) => [name, warren.process(name).pid]));
  const used = () => usages({ ...pids, nats: nats.pid });
  const empty = await served(warren, nats.counters);
  const fleet = await FleetProcess.start({ ...enrolled, hubs: hubsBy('tunnels', warren), agents, rampMs: agents * 2 });
  try {
    await fleet.linked(agents, lab.choice.patience * 1_000);
    await sleep(SETTLE_MS + agents * FACTS_MS_EACH);
    const [first, before, since] = [await used(), await served(warren, nats.counters), performance.now()];
    await sleep(MEASURED_MS);
    const [last, after] = [await used(), await served(warren, nats.counters)];
    const seconds = (performance.now() - since) / 1_000;
    const share = (name: string, { cpuS }: Usage) => ((cpuS - (first[name]?.cpuS ?? 0)) / seconds) * 100;
    const processes = Object.entries(last).map(([name, usage]) => ({
      name,
      share: share(name, usage),
      residentBytes: usage.residentBytes,
    }));
    return { agents, seconds, processes, empty, before, after };
  } finally {
    await fleet.stop();
    await lab.end();
  }
}

function serverRow({ agents, seconds, empty, before, after }: Measured): Row {
  const minutely = (name: keyof Served) => ((after[name] - before[name]) / seconds / agents) * 60;
  const held = (name: keyof Served) => (after[name] - empty[name]) / agents;
  const values = [
    ...[held('redisKeys'), held('redisBytes'), minutely('redisCommands')],
    ...[minutely('natsMessages'), minutely('natsBytes'), minutely('transactions'), minutely('walBytes')],
  ];
  return { name: `${agents} agents`, values };
}

function tables(fleets: Measured[]): Report[] {
  const names = fleets[0]?.processes.map(({ name }) => name) ?? [];
  const rows = names.map((name) => ({
    name,
    values: fleets.flatMap(({ processes }) => {
      const found = processes.find((one) => one.name === name);
      return found ? [found.share, found.residentBytes / MB] : [undefined, undefined];
    }),
  }));
  return [
    {
      title: 'Processes of a hub whose devices are idle',
      notes: [
        'Of five minutes, in hundredths of one processor; without signed-in users, and links go straight to tunnels.',
        'Resident memory counts what processes share once for each: shared buffers for every process of PostgreSQL.',
      ],
      head: fleets.flatMap(({ agents }) => [`${agents}: processor, %`, 'resident, MB']),
      rows,
      ratio: false,
    },
    {
      title: 'Servers behind it, for each device',
      notes: ['Redis holds what it holds beside an empty hub. The rest is of a minute.'],
      head: ['Redis keys', 'Redis bytes', 'Redis commands', 'NATS messages', 'NATS bytes', 'transactions', 'WAL bytes'],
      rows: fleets.map(serverRow),
      ratio: false,
    },
  ];
}

/** Measures the needs of a fleet of idle devices in each process and server, for docs/operations/scale.md. */
export const capacity: Bench = {
  run: async (lab) => {
    const { agents } = lab.choice;
    const fleets: Measured[] = [];
    for (const count of agents > SMALL_FLEET ? [SMALL_FLEET, agents] : [agents]) fleets.push(await measure(lab, count));
    return tables(fleets);
  },
};
