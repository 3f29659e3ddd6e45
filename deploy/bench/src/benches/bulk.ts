import { withClient } from '@warren/infra/provision';
import { operatorEmail } from '@warren/local/people';
import type { Warren } from '@warren/local/warren';
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn, type Hub } from '../hub.ts';
import type { Bench, Report } from '../lab.ts';
import { usages, type Usage } from '../probes/processes.ts';
import { enrolFleet } from '../simulator/enrol.ts';
import { percentile } from '../stats.ts';
import type { Row } from '../table.ts';

const WATCHED = ['devices', 'postgres', 'audit', 'gateway', 'nats', 'redis', 'tenancy', 'identity', 'fleet', 'tunnels'];
/** As the console does. */
const LOOK_MS = 1_000;
const MB = 1_000_000;
/** Each changes every device: the second one what the first has changed. */
const ACTIONS = ['disable_console', 'enable_console'] as const;

interface Job {
  id: string;
  state: 'running' | 'done' | 'cancelled';
  counts: { total: number; done: number; failed: number };
}

interface Measured {
  action: string;
  devices: number;
  failed: number;
  selectS: number;
  seconds: number;
  progressMs: number[];
  before: Record<string, Usage>;
  after: Record<string, Usage>;
}

/** Deletes simulated devices of larger runs, and turns on the consoles that a run left off. */
async function reset(warren: Warren, devices: number): Promise<void> {
  await withClient(warren.databases['devices'] ?? '', async (client) => {
    await client.query(`DELETE FROM devices WHERE substring(name FROM '^simulated-(\\d+)$')::int > $1`, [devices]);
    await client.query('UPDATE devices SET ssh_enabled = true WHERE NOT ssh_enabled');
  });
}

/** Runs a job over all simulated devices, and reads its progress until it is done. */
async function measure(warren: Warren, hub: Hub, action: string): Promise<Measured> {
  const pids = Object.fromEntries(WATCHED.map((name) => [name, warren.process(name).pid]));
  const before = await usages(pids);
  const begun = performance.now();
  let job = await hub.send<Job>('POST', '/api/devices/bulk', { action, filter: 'name~simulated' });
  const selectS = (performance.now() - begun) / 1_000;
  const progressMs: number[] = [];
  while (job.state === 'running') {
    await sleep(LOOK_MS);
    const asked = performance.now();
    job = await hub.get<Job>(`/api/devices/bulk/${job.id}`);
    progressMs.push(performance.now() - asked);
  }
  const seconds = (performance.now() - begun) / 1_000 - selectS;
  const { total, failed } = job.counts;
  return { action, devices: total, failed, selectS, seconds, progressMs, before, after: await usages(pids) };
}

function processes(jobs: readonly Measured[]): Report {
  const rows = WATCHED.map((name): Row => {
    const values = jobs.flatMap(({ seconds, before, after }) => {
      const used = (after[name]?.cpuS ?? 0) - (before[name]?.cpuS ?? 0);
      return [(used * 100) / seconds, (after[name]?.residentBytes ?? 0) / MB];
    });
    return { name, values };
  });
  return {
    title: 'Processes during a bulk job: percent of one core',
    notes: [
      'With the change of each device go its audit event, and an event to open consoles, of which there are none.',
    ],
    head: jobs.flatMap(({ action }) => [`${action}, %`, 'resident, MB']),
    rows,
    ratio: false,
  };
}

/** Measures bulk jobs of switches over devices that are not connected, in a separate database that is kept for the next run. */
export const bulk: Bench = {
  run: async (lab) => {
    const { devices } = lab.choice;
    const warren = await lab.own('bulk', { agent: false });
    await enrolFleet(warren, devices);
    await reset(warren, devices);
    const hub = await signIn(warren.urls.hub, operatorEmail);
    const jobs: Measured[] = [];
    for (const action of ACTIONS) jobs.push(await measure(warren, hub, action));
    const failed = jobs.reduce((sum, job) => sum + job.failed, 0);
    const rows = jobs.map(({ action, devices: total, selectS, seconds, progressMs }) => ({
      name: action,
      values: [total, selectS, seconds, total / seconds, percentile(progressMs, 0.5), percentile(progressMs, 0.95)],
    }));
    return [
      {
        title: `Bulk jobs over ${devices} devices`,
        notes: [failed > 0 ? `${failed} devices failed.` : 'No device failed.'],
        head: ['devices', 'selecting, s', 'running, s', 'devices/s', 'progress p50, ms', 'p95, ms'],
        rows,
        ratio: false,
      },
      processes(jobs),
    ];
  },
};
