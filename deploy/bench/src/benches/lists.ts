import { operatorEmail } from '@warren/local/people';
import type { Warren } from '@warren/local/warren';
import { devicesData } from '../data/devices.ts';
import { fillTables } from '../data/fill.ts';
import { tenancyData } from '../data/tenancy.ts';
import { signIn, type Hub } from '../hub.ts';
import type { Bench } from '../lab.ts';
import { percentile } from '../stats.ts';
import type { Row } from '../table.ts';
import { requests, type ListRequest } from './lists.requests.ts';

/** Limit of the 95th percentile of any list, in milliseconds. */
const BAR_MS = 50;
const WARM_UP = 10;
const MOST_SAMPLES = 200;

/** Fills the databases of tenancy and devices with the data set; keeps existing rows. */
export async function fill(product: Warren): Promise<void> {
  const urlOf = (name: string) => product.databases[name] ?? '';
  await Promise.all([fillTables(urlOf('tenancy'), tenancyData), fillTables(urlOf('devices'), devicesData)]);
}

/** Measures from the request to the last byte of the response, through gateway, session and service. */
async function measure(hub: Hub, { name, path }: ListRequest, samples: number): Promise<Row> {
  const times: number[] = [];
  let total: number | undefined;
  for (let call = -WARM_UP; call < samples; call++) {
    const begun = performance.now();
    ({ total } = await hub.get<{ total?: number }>(path));
    if (call >= 0) times.push(performance.now() - begun);
  }
  return { name, values: [total, percentile(times, 0.5), percentile(times, 0.95)] };
}

/** Measures lists over REST at full size, in a separate database that is kept for the next run. */
export const lists: Bench = {
  run: async (lab) => {
    const product = await lab.own('scale', { agent: false });
    await fill(product);
    const hub = await signIn(product.urls.hub, operatorEmail);
    const samples = Math.min(MOST_SAMPLES, lab.choice.samples);
    const rows: Row[] = [];
    for (const request of requests) rows.push(await measure(hub, request, samples));
    const slow = rows.filter(({ values: [, , p95 = 0] }) => p95 > BAR_MS).map(({ name }) => name);
    const verdict = slow.length > 0 ? `Over ${BAR_MS} ms: ${slow.join(', ')}.` : `Every p95 is under ${BAR_MS} ms.`;
    const title = 'Lists over REST: 1,000 accounts, 50,000 users, 100,000 devices';
    return [{ title, notes: [verdict], head: ['found', 'p50, ms', 'p95, ms'], rows, ratio: false }];
  },
};
