import { startWarren } from '@warren/local/warren';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { enrolFleet, type Enrolled } from './enrol.ts';
import type { FleetStats } from './fleet.ts';
import { FleetProcess } from './process.ts';

const SAY_EVERY_MS = 5_000;

const { values } = parseArgs({
  options: {
    agents: { type: 'string', default: '1000' },
    ramp: { type: 'string', default: '0' },
    hub: { type: 'string', multiple: true },
    audience: { type: 'string' },
    seconds: { type: 'string', default: '0' },
  },
});

function count(name: 'agents' | 'ramp' | 'seconds', least: number): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= least) return value;
  throw new Error(`--${name} is "${values[name]}", expected a whole number from ${least}.`);
}

/** A remote hub, whose devices enrol.main.ts enrolled with this secret; otherwise a separate Warren, started here. */
async function hubs(agents: number): Promise<Enrolled & { hubs: string[]; stop: () => Promise<void> }> {
  const [first] = values.hub ?? [];
  if (first !== undefined) {
    const secret = process.env['SIMULATION_SECRET'];
    if (!secret) throw new Error('SIMULATION_SECRET is missing: the one that the devices were enrolled with.');
    return { hubs: values.hub ?? [], audience: values.audience ?? first, secret, stop: async () => {} };
  }
  const warren = await startWarren({ agent: false });
  return {
    ...(await enrolFleet(warren, agents)),
    hubs: [`http://127.0.0.1:${warren.settings.ports.gateway}`],
    stop: () => warren.stop(),
  };
}

function say({ agents, linked, dials, dialMs, refused }: FleetStats, hourly: string): void {
  const took = dialMs ? `dial p50 ${dialMs.p50.toFixed(0)} ms, p99 ${dialMs.p99.toFixed(0)} ms` : 'no dial yet';
  const others = Object.entries(refused).map(
    ([status, times]) => `${times} × ${status === '0' ? 'no answer' : status}`,
  );
  const refusals = others.length > 0 ? `; refused ${others.join(', ')}` : '';
  console.log(`${linked} of ${agents} linked; ${dials} dials, ${took}${refusals}${hourly}`);
}

const agents = count('agents', 1);
const stopping = new AbortController();
const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]).then(() => stopping.abort());
const seconds = count('seconds', 0);
const { hubs: addresses, audience, secret, stop } = await hubs(agents);
const fleet = await FleetProcess.start({ hubs: addresses, audience, secret, agents, rampMs: count('ramp', 0) * 1_000 });
const deadline = seconds > 0 ? performance.now() + seconds * 1_000 : Infinity;
let before: { at: number; bytes: number } | undefined;
while (!stopping.signal.aborted && performance.now() < deadline) {
  const stats = await fleet.stats();
  const at = performance.now();
  // Only while no link opens or closes: otherwise the dials would be measured.
  const full = stats.linked === agents;
  const perHour = before && full ? ((stats.bytes - before.bytes) / agents / (at - before.at)) * 3_600_000 : undefined;
  say(stats, perHour === undefined ? '' : `; ${(perHour / 1_000).toFixed(1)} kB of payload per agent-hour`);
  before = full ? (before ?? { at, bytes: stats.bytes }) : undefined;
  await sleep(SAY_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {});
}
await Promise.race([stopped, sleep(0)]);
await fleet.stop();
await stop();
process.exit();
