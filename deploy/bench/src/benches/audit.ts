import { operatorEmail } from '@warren/local/people';
import { fillTables } from '../data/fill.ts';
import { tenancyData } from '../data/tenancy.ts';
import { fillTrail, storeEvents, TRAIL } from '../data/trail.ts';
import { signIn, type Hub } from '../hub.ts';
import type { Bench } from '../lab.ts';
import { median, percentile } from '../stats.ts';
import type { Row } from '../table.ts';
import { auditRequests, MOST_MS, TEXTS, type Middle } from './audit.requests.ts';
import type { ListRequest } from './lists.requests.ts';

const WARM_UP = 3;
const MOST_SAMPLES = 100;

interface Page {
  events: { id: string; time: string }[];
  next: string | null;
}

/** Measures from the request to the last byte of the response, through gateway, session and service. */
async function measure(hub: Hub, { name, path }: ListRequest, samples: number): Promise<Row> {
  const times: number[] = [];
  let shown = 0;
  for (let call = -WARM_UP; call < samples; call++) {
    const begun = performance.now();
    shown = (await hub.get<Page>(path)).events.length;
    if (call >= 0) times.push(performance.now() - begun);
  }
  return { name, values: [shown, percentile(times, 0.5), percentile(times, 0.95)] };
}

async function middle(hub: Hub): Promise<Middle> {
  const now = new Date();
  const half = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - TRAIL.months / 2, 15)).toISOString();
  const [event] = (await hub.get<Page>(`/api/audit/events?limit=1&to=${half}`)).events;
  if (!event) throw new Error(`The trail has no event before ${half}.`);
  return { cursor: event.id, time: event.time };
}

/** Searches the whole trail, page by page. */
async function wholeSearch(hub: Hub, rounds: number): Promise<string> {
  const path = `/api/audit/events?search=${encodeURIComponent(TEXTS['in none'])}`;
  const times: number[] = [];
  let pages = 0;
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    pages = 0;
    for (let next: string | null = ''; next !== null; pages++)
      ({ next } = await hub.get<Page>(next ? `${path}&before=${next}` : path));
    times.push((performance.now() - begun) / 1_000);
  }
  return `A text in no event: the whole trail is searched in ${median(times).toFixed(2)} s, in ${pages} pages.`;
}

/** Measures pages of the audit trail over REST with millions of events, in a separate database that is kept for the next run. */
export const audit: Bench = {
  run: async (lab) => {
    const product = await lab.own('trail', { agent: false });
    await fillTables(product.databases['tenancy'] ?? '', tenancyData);
    await fillTrail(product.administrator, new Date());
    const hub = await signIn(product.urls.hub, operatorEmail);
    const samples = Math.min(MOST_SAMPLES, lab.choice.samples);
    const rows: Row[] = [];
    for (const request of auditRequests(await middle(hub))) rows.push(await measure(hub, request, samples));
    const slow = rows.filter(({ values: [, , p95 = 0] }) => p95 > MOST_MS).map(({ name }) => name);
    const verdict = slow.length > 0 ? `Over ${MOST_MS} ms: ${slow.join(', ')}.` : `Every p95 is under ${MOST_MS} ms.`;
    const title = `Audit trail over REST: ${TRAIL.events / 1_000_000} million events of ${TRAIL.months} months in 1,000 accounts`;
    const events = await storeEvents(product.databases['audit'] ?? '');
    const notes = [
      verdict,
      await wholeSearch(hub, lab.choice.rounds),
      `PostgreSQL alone stores ${events.toFixed(0)} events a second, in transactions of 200.`,
    ];
    return [{ title, notes, head: ['shown', 'p50, ms', 'p95, ms'], rows, ratio: false }];
  },
};
