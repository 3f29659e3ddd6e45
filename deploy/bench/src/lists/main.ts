import { execFile } from 'node:child_process';
import { cpus } from 'node:os';
import { parseArgs, promisify } from 'node:util';
import { operatorEmail } from '@warren/local/people';
import { startWarren, type Warren } from '@warren/local/warren';
import { signIn, type Hub } from '../hub.ts';
import { percentile } from '../stats.ts';
import { table, type Row } from '../table.ts';
import { requests, type ListRequest } from './requests.ts';

/** Milliseconds that the slowest twentieth of the calls of any list may take. */
const BAR_MS = 50;
const WARM_UP = 10;

const { values } = parseArgs({ options: { samples: { type: 'string', default: '200' } } });
const samples = Number(values.samples);

/** Fills a service's database; what is there already stays. */
async function fill(product: Warren, name: string): Promise<void> {
  const { command, cwd, env } = product.process(name).spec;
  await promisify(execFile)(command, ['dist/seed-scale.js'], { cwd, env });
}

/** From the request to the last byte of the answer, through gateway, session and service. */
async function measure(hub: Hub, { name, path }: ListRequest): Promise<Row> {
  const times: number[] = [];
  let total: number | undefined;
  for (let call = -WARM_UP; call < samples; call++) {
    const begun = performance.now();
    ({ total } = await hub.get<{ total?: number }>(path));
    if (call >= 0) times.push(performance.now() - begun);
  }
  return { name, values: [total, percentile(times, 0.5), percentile(times, 0.95)] };
}

const product = await startWarren({ quiet: true, agent: false });
try {
  await Promise.all(['tenancy', 'devices'].map((name) => fill(product, name)));
  const hub = await signIn(product.urls.hub, operatorEmail);
  const rows: Row[] = [];
  for (const request of requests) rows.push(await measure(hub, request));
  console.log(
    `Lists over REST, 1,000 accounts, 50,000 users, 100,000 devices, ${cpus().length} cores, everything on this machine.\n`,
  );
  console.log(table(['found', 'p50, ms', 'p95, ms'], rows, { ratio: false }));
  const slow = rows.filter(({ values: [, , p95 = 0] }) => p95 > BAR_MS).map(({ name }) => name);
  console.log(slow.length > 0 ? `\nOver ${BAR_MS} ms: ${slow.join(', ')}.` : `\nEvery p95 is under ${BAR_MS} ms.`);
} finally {
  await product.stop();
}
