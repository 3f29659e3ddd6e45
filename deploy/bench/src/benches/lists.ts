import { withClient } from '@warren/infra/provision';
import { operatorEmail } from '@warren/local/people';
import type { Warren } from '@warren/local/warren';
import type pg from 'pg';
import { scaleAccountOf, scaleId } from '../data/data-set.ts';
import { devicesData } from '../data/devices.ts';
import { fillTables } from '../data/fill.ts';
import * as history from '../data/history.ts';
import { tenancyData } from '../data/tenancy.ts';
import { sessionCookie, signIn, type Hub } from '../hub.ts';
import type { Bench, Lab, Report } from '../lab.ts';
import { callsInTurn } from '../probes/calls.ts';
import { roundBegun, roundEnded, yearCharts } from '../probes/charts.ts';
import type { Place } from '../probes/load.ts';
import { percentile } from '../stats.ts';
import { startBare } from '../targets/bare.ts';
import type { Row } from '../table.ts';
import { requests, type ListRequest } from './lists.requests.ts';

const WARM_UP = 10;
/** Before the first measurement, as a hub has been running for a while: Node compiles what runs often. */
const ROUNDS = 12;
const MOST_SAMPLES = 200;

/** Fills the databases of tenancy and devices with the data set; keeps existing rows. */
export async function fill(product: Warren): Promise<void> {
  const urlOf = (name: string) => product.databases[name] ?? '';
  await Promise.all([fillTables(urlOf('tenancy'), tenancyData), fillTables(urlOf('devices'), devicesData)]);
}

/** Runs every request, so that code is compiled and caches are warm. */
async function warm(place: Place): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) for (const { path } of requests) await callsInTurn(place, path, 1);
}

/** Measures from the request to the last byte of the response, through gateway, session and service. */
async function measure(
  place: Place,
  { name, path }: Pick<ListRequest, 'name' | 'path'>,
  samples: number,
): Promise<Row> {
  const answer = await fetch(new URL(path, place.url), { headers: place.headers });
  const { total } = (await answer.json()) as { total?: number };
  await callsInTurn(place, path, WARM_UP);
  const times = await callsInTurn(place, path, samples);
  return { name, values: [total, percentile(times, 0.5), percentile(times, 0.95)] };
}

/** Measures a bare route on the same table, which says how fast the machine is. */
async function measureFloor(lab: Lab, product: Warren, samples: number): Promise<Row> {
  const bare = await startBare({ ...process.env, DATABASE_URL: product.databases['devices'] });
  lab.atEnd(() => bare.stop());
  return measure(
    { url: bare.url, headers: {} },
    { name: 'bare NestJS and pg: 20 devices', path: '/api/devices' },
    samples,
  );
}

/** Devices of the data set that get the history of a year. */
const CHARTED = 100;
/** Limit of the 95th percentile of a chart of a year, in milliseconds. */
const MOST_CHART_MS = 200;

/** Gives devices a year: fleet sums up a day and then a month, and the other months are copies. Keeps that of an earlier run. */
async function fillYear(client: pg.Client): Promise<{ ids: string[]; now: Date }> {
  await client.query('SET statement_timeout = 0');
  const now = new Date();
  const [day, month] = [history.dayBefore(now), history.monthBefore(now, 2)];
  await client.query(
    `INSERT INTO devices (id, account_id) SELECT ${scaleId('device', 'n')}, ${scaleId('account', `(${scaleAccountOf('n')})`)}
     FROM generate_series(1, ${CHARTED}) n ON CONFLICT DO NOTHING`,
  );
  const ids = await history.reportedDevices(client, CHARTED);
  if (await history.hasYear(client, month)) return { ids, now };
  const hours = () => history.waitingHours(client, now);
  await history.insertDay(client, ids, day);
  await roundBegun(hours);
  await roundEnded(hours);
  const days = () => history.waitingDays(client, month);
  await history.copyDays(client, day, month);
  await roundBegun(days);
  await roundEnded(days);
  return { ids: await history.fillYear(client, { now, day, month, devices: CHARTED }), now };
}

async function measureYear(product: Warren, hub: Hub): Promise<Report> {
  const { ids, now } = await withClient(product.databases['fleet'] ?? '', fillYear);
  const times = await yearCharts(hub, ids, now);
  const p95 = percentile(times, 0.95);
  return {
    title: 'A chart of a year with all metrics, over REST, beside 100,000 devices',
    notes: [`p95 is ${p95 < MOST_CHART_MS ? 'under' : 'over'} ${MOST_CHART_MS} ms; ${CHARTED} devices have a year.`],
    head: ['p50, ms', 'p95, ms'],
    rows: [{ name: 'year', values: [percentile(times, 0.5), p95] }],
    ratio: false,
  };
}

/** Measures lists over REST at full size, in a separate database that is kept for the next run. */
export const lists: Bench = {
  run: async (lab) => {
    const product = await lab.own('scale', { agent: false });
    await fill(product);
    const hub = await signIn(product.urls.hub, operatorEmail);
    const cookie = await sessionCookie(product.urls.hub, operatorEmail);
    const place = { url: `http://127.0.0.1:${new URL(product.urls.hub).port}`, headers: { cookie } };
    const samples = Math.min(MOST_SAMPLES, lab.choice.samples);
    await warm(place);
    const rows: Row[] = [];
    for (const request of requests) rows.push(await measure(place, request, samples));
    rows.push(await measureFloor(lab, product, samples));
    const slow = requests.filter(({ most }, at) => (rows[at]?.values[2] ?? 0) > most);
    const named = slow.map(({ name, most }) => `${name} (${most} ms)`).join(', ');
    const verdict =
      slow.length > 0
        ? `Over their limits: ${named}.`
        : 'Every p95 is within its limit, 30 ms for filters and 50 for other lists.';
    const title = 'Lists over REST: 1,000 accounts, 50,000 users, 100,000 devices';
    const report: Report = { title, notes: [verdict], head: ['found', 'p50, ms', 'p95, ms'], rows, ratio: false };
    return [report, await measureYear(product, hub)];
  },
};
