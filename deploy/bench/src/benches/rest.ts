import { operatorEmail } from '@warren/local/people';
import { hub } from '@warren/local/settings';
import type { Warren } from '@warren/local/warren';
import { sessionCookie } from '../hub.ts';
import type { Bench, Lab, Report } from '../lab.ts';
import { callsInTurn } from '../probes/calls.ts';
import { load, type Place } from '../probes/load.ts';
import { usages } from '../probes/processes.ts';
import { interleave } from '../rounds.ts';
import { enrolFleet } from '../simulator/enrol.ts';
import { percentile } from '../stats.ts';
import { startBare } from '../targets/bare.ts';

const DEVICES = 50;
const WARM_UP = 50;
const MOST_SAMPLES = 400;
const LOAD_S = 2;
/** Processes along the path of a call; a hub in one process and the bare routes replace the gateway. */
const PROCESSES = ['gateway', 'identity', 'tenancy', 'devices', 'fleet', 'postgres', 'redis', 'nats'] as const;
const SERVERS = ['postgres', 'redis', 'nats'] as const;

type Shape = 'apart' | 'together';
type Process = (typeof PROCESSES)[number];
/** By {@link PROCESSES}, without those that share a process. */
type Pids = Record<string, number>;

interface Target {
  name: string;
  place: Place;
  path: string;
  pids: Pids;
}

/** Measures the operator's calls at a hub with fifty devices. */
async function callsOf(warren: Warren, shape: Shape): Promise<Target[]> {
  await enrolFleet(warren, DEVICES);
  const cookie = await sessionCookie(warren.urls.hub, operatorEmail);
  const place = { url: `http://127.0.0.1:${new URL(warren.urls.hub).port}`, headers: { cookie } };
  const names = shape === 'apart' ? PROCESSES : SERVERS;
  const pids: Pids = Object.fromEntries(names.map((name) => [name, warren.process(name).pid]));
  if (shape === 'together') pids['gateway'] = warren.process(hub).pid;
  const listed = await fetch(`${place.url}/api/devices?page=1&limit=1`, { headers: { cookie } });
  const { devices } = (await listed.json()) as { devices: { id: string }[] };
  const paths = {
    session: '/auth/saml/getsession',
    '20 devices': '/api/devices?page=1&limit=20',
    device: `/api/devices/${devices[0]?.id ?? ''}`,
  };
  const suffix = shape === 'apart' ? '' : ', one process';
  return Object.entries(paths).map(([name, path]) => ({ name: `${name}${suffix}`, place, path, pids }));
}

/** The bare routes on the database of the hub. */
async function floorOf(lab: Lab, warren: Warren, calls: Target[]): Promise<Target[]> {
  const bare = await startBare({ ...process.env, DATABASE_URL: warren.databases['devices'] });
  lab.atEnd(() => bare.stop());
  return calls.slice(1).map(({ name, path, pids }) => ({
    name: `bare NestJS and pg: ${name.replace(', one process', '')}`,
    place: { url: bare.url, headers: {} },
    path,
    pids: { ...pids, gateway: bare.pid },
  }));
}

/** Returns the CPU time per call in milliseconds, by process. */
async function cost(pids: Pids, work: () => Promise<number>): Promise<Record<Process, number>> {
  const before = await usages(pids);
  const calls = await work();
  const after = await usages(pids);
  const each = (name: string) => (((after[name]?.cpuS ?? 0) - (before[name]?.cpuS ?? 0)) * 1_000) / calls;
  return Object.fromEntries(PROCESSES.map((name) => [name, each(name)])) as Record<Process, number>;
}

const sum = (costs: Record<string, number>) => Object.values(costs).reduce((all, one) => all + one, 0);

type Figures = Record<Process | 'p50' | 'p99' | 'rate' | 'loadedP99' | 'cpuTogether' | 'cpuAlone', number>;

async function measure({ place, path, pids }: Target, samples: number): Promise<Figures> {
  await callsInTurn(place, path, WARM_UP);
  let times: number[] = [];
  const alone = await cost(pids, async () => (times = await callsInTurn(place, path, samples)).length);
  let loaded = { rate: 0, p99Ms: 0 };
  const together = await cost(pids, async () => {
    loaded = await load(place, path, LOAD_S);
    return loaded.rate * LOAD_S;
  });
  return {
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    rate: loaded.rate,
    loadedP99: loaded.p99Ms,
    cpuTogether: sum(together),
    cpuAlone: sum(alone),
    ...alone,
  };
}

/** Measures calls of the console: latency, and CPU time of each process along the path. */
export const rest: Bench = {
  run: async (lab): Promise<Report[]> => {
    const samples = Math.min(MOST_SAMPLES, lab.choice.samples);
    const results: { target: Target; figures: Figures }[] = [];
    for (const shape of ['apart', 'together'] as const) {
      const warren = await lab.own('rest', { agent: false }, { WARREN_SERVICES: shape });
      const calls = await callsOf(warren, shape);
      const all = shape === 'apart' ? calls : [...calls, ...(await floorOf(lab, warren, calls))];
      const rounds = { rounds: lab.choice.rounds, warm: 1 };
      results.push(...(await interleave(all, rounds, (target) => measure(target, samples))));
      if (shape === 'apart') await warren.stop();
    }
    const rowsOf = (names: readonly (keyof Figures)[]) =>
      results.map(({ target: { name }, figures }) => ({ name, values: names.map((one) => figures[one]) }));
    return [
      {
        title: 'A call of the REST interface',
        notes: [
          'One client that waits for each answer, then 32 connections. Processor time is that of all processes below, for each call.',
        ],
        head: ['p50, ms', 'p99, ms', 'processor, ms', '32: requests/s', 'p99, ms', 'processor, ms'],
        rows: rowsOf(['p50', 'p99', 'cpuAlone', 'rate', 'loadedP99', 'cpuTogether']),
        ratio: false,
      },
      {
        title: 'Processor time of a call by process, ms',
        notes: [
          `Of ${samples} calls in turn, in steps of ${10 / samples} ms; "gateway" is the one process, or that of the bare routes, in their rows.`,
        ],
        head: [...PROCESSES],
        rows: rowsOf(PROCESSES),
        ratio: false,
      },
    ];
  },
};
