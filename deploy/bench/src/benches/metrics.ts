import { withClient } from '@warren/infra/provision';
import { operatorEmail } from '@warren/local/people';
import type { Warren } from '@warren/local/warren';
import type pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import * as history from '../data/history.ts';
import { signIn } from '../hub.ts';
import type { Bench, Lab } from '../lab.ts';
import { usages } from '../probes/processes.ts';
import { roundBegun, roundEnded, yearCharts } from '../probes/charts.ts';
import { enrolFleet } from '../simulator/enrol.ts';
import { hubsBy } from '../simulator/gateways.ts';
import { FleetProcess } from '../simulator/process.ts';
import { percentile } from '../stats.ts';
import { tables, type Measured, type Work } from './metrics.tables.ts';

const WATCHED = ['fleet', 'postgres', 'tunnels', 'devices', 'nats', 'redis', 'gateway', 'identity', 'tenancy', 'audit'];
/** Until facts of the dials are stored. */
const SETTLE_MS = 15_000;
/** Each device is asked once in two minutes. */
const MEASURED_MS = 120_000;
/** Devices whose history is summed up, and those whose charts are drawn. */
const SUMMED_UP = 100;
const FILLED = 1_000;

const pidsOf = (warren: Warren) => Object.fromEntries(WATCHED.map((name) => [name, warren.process(name).pid]));

/** Measures the processor time of each process during some work. */
async function during(warren: Warren, work: () => Promise<unknown>): Promise<Work> {
  const pids = pidsOf(warren);
  const before = await usages(pids);
  const begun = performance.now();
  await work();
  const seconds = (performance.now() - begun) / 1_000;
  const after = await usages(pids);
  const processes = Object.entries(after).map(([name, { cpuS, residentBytes }]) => ({
    name,
    cpuS: cpuS - (before[name]?.cpuS ?? 0),
    residentBytes,
  }));
  return { seconds, processes };
}

/** Links the fleet, and measures what its samples cost as they come. */
async function storing(lab: Lab, warren: Warren, client: pg.Client) {
  const { agents, patience } = lab.choice;
  const enrolled = await enrolFleet(warren, agents);
  const hubs = hubsBy('tunnels', warren);
  const fleet = await FleetProcess.start({ ...enrolled, hubs, agents, rampMs: agents * 2, usage: true });
  lab.atEnd(() => fleet.stop());
  await fleet.linked(agents, patience * 1_000);
  await sleep(SETTLE_MS);
  const before = await history.reports(client);
  const work = await during(warren, () => sleep(MEASURED_MS));
  const after = await history.reports(client);
  await fleet.stop();
  return { work, reports: after.count - before.count, bytes: after.bytes - before.bytes };
}

/** Waits for the end of a round of fleet, with a vacuum for each time that autovacuum has an hour or a day for. */
async function summingUp(warren: Warren, client: pg.Client, left: () => Promise<number>, vacuumed: string[]) {
  await roundBegun(left);
  const from = await left();
  const work = await during(warren, async () => {
    await roundEnded(left, async () => {
      for (const table of vacuumed) await client.query(`VACUUM ${table}`);
    });
  });
  return { work, spans: from };
}

async function measure(lab: Lab, warren: Warren, client: pg.Client): Promise<Measured> {
  await history.clearHistory(client);
  const stored = await storing(lab, warren, client);
  const now = new Date();
  const [day, month] = [history.dayBefore(now), history.monthBefore(now, 2)];
  const ids = await history.reportedDevices(client, Math.min(SUMMED_UP, lab.choice.agents));
  await history.insertDay(client, ids, day);
  const dayTables = [history.partitionName('samples', day), history.partitionName('five_minutes', day)];
  const hourly = await summingUp(warren, client, () => history.waitingHours(client, now), dayTables);
  const chunks = {
    samples: await history.bytesOfRow(client, 'samples', day),
    fiveMinutes: await history.bytesOfRow(client, 'five_minutes', day),
  };
  await history.copyDays(client, day, month);
  const daily = await summingUp(warren, client, () => history.waitingDays(client, month), [
    history.partitionName('hours', month),
  ]);
  const hours = await history.bytesOfRow(client, 'hours', month);
  const devices = Math.min(FILLED, lab.choice.agents);
  const filled = await history.fillYear(client, { now, day, month, devices });
  const times = await yearCharts(await signIn(warren.urls.hub, operatorEmail), filled, now);
  return {
    agents: lab.choice.agents,
    storing: stored,
    hourly: { ...hourly, devices: ids.length },
    daily: { ...daily, devices: ids.length },
    bytes: { ...chunks, hours },
    charts: { devices, p50: percentile(times, 0.5), p95: percentile(times, 0.95) },
  };
}

/** Measures the history of metrics: what a fleet's samples cost as they come and as they are summed up, their size, and charts of a year. */
export const metrics: Bench = {
  run: async (lab) => {
    const warren = await lab.own('metrics', { agent: false });
    const measured = await withClient(warren.databases['fleet'] ?? '', (client) => measure(lab, warren, client));
    return tables(measured);
  },
};
