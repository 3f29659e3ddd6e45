import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT, type Item } from './chart.ts';

/** As performance.md has them, in MB: an idle hub as images run, a replica of tunnels, an agent. */
const MEASURED = { hub: 700, tunnels: 132, agent: 0.0614 };
const FLEETS = [100, 1_000, 10_000];
const UNITS: Record<string, number> = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };
const MB = 1e6;

const read = (file: string) => readFile(join(ROOT, file), 'utf8');

/** `512m`, `256MB` and `8 GB` as bytes. */
function bytes(text: string): number {
  const [, digits, unit = ''] = /^(\d+) ?([kmg])b?$/i.exec(text) ?? [];
  return Number(digits) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
}

const standardOf = (text: string, variable: string) => new RegExp(`\\$\\{${variable}:-([^}]*)\\}`).exec(text)?.[1];

describe('compose.yaml', () => {
  let text: string;
  let services: Record<string, Item>;
  let table: Map<string, string[]>;

  beforeAll(async () => {
    text = await read('deploy/compose/compose.yaml');
    services = (parse(text, { merge: true }) as { services: Record<string, Item> }).services;
    const section = (await read('docs/operations/scale.md')).split('## With Compose')[1]?.split('\n## ')[0] ?? '';
    const rows = section.split('\n').filter((line) => line.startsWith('|'));
    const cells = rows.map((row) => row.split('|').map((cell) => cell.replaceAll('`', '').trim()));
    table = new Map(cells.map(([, name = '', ...values]) => [name, values.slice(0, FLEETS.length)]));
  });

  /** What the table in scale.md says for each fleet, in bytes. */
  const row = (name: string) => (table.get(name) ?? []).map(bytes);

  it('limits the memory of every container, and rotates its logs', () => {
    expect(Object.keys(services).length).toBeGreaterThan(10);
    for (const [name, service] of Object.entries(services)) {
      expect({ name, limit: service['mem_limit'] }).toEqual({ name, limit: expect.stringMatching(/\d+[mg]\}?$/) });
      expect({ name, logging: service['logging'] }).toEqual({
        name,
        logging: {
          driver: 'json-file',
          options: { 'max-size': '${LOG_MAX_SIZE:-10m}', 'max-file': '${LOG_MAX_FILES:-5}' },
        },
      });
    }
  });

  it('has the values that scale.md gives for 1,000 devices', () => {
    const settings = [...table.keys()].filter((name) => /^[A-Z_]+$/.test(name));
    expect(settings).toHaveLength(10);
    for (const name of settings) expect([name, standardOf(text, name)]).toEqual([name, table.get(name)?.[1]]);
    const limits = [...text.matchAll(/mem_limit: \$\{(\w+):/g)].map(([, name]) => name);
    for (const name of limits) expect(settings).toContain(name);
  });

  it('lets one replica of tunnels hold the fleet twice, as it was measured', () => {
    for (const [at, limit] of row('TUNNELS_MEMORY').entries())
      expect(limit).toBeGreaterThanOrEqual(2 * (MEASURED.tunnels + MEASURED.agent * (FLEETS[at] ?? 0)) * MB);
  });

  it('fits into the memory of the machine as measured, beside what the servers hold', () => {
    for (const [at, machine] of row('memory of the machine').entries()) {
      const hub = (2 * MEASURED.hub + MEASURED.agent * (FLEETS[at] ?? 0)) * MB;
      const servers = (['REDIS_MEMORY', 'NATS_MEMORY', 'CADDY_MEMORY', 'POSTGRES_MEMORY'] as const).map(
        (name) => row(name)[at] ?? Number.NaN,
      );
      expect(hub + servers.reduce((sum, one) => sum + one, 0)).toBeLessThan(machine * 0.8);
    }
  });

  it('leaves Redis and PostgreSQL room inside of their limits', () => {
    for (const [at, limit] of row('REDIS_MEMORY').entries()) expect(limit).toBe(2 * (row('REDIS_MAXMEMORY')[at] ?? 0));
    for (const [at, limit] of row('POSTGRES_MEMORY').entries()) {
      const part = (row('POSTGRES_SHARED_BUFFERS')[at] ?? 0) / limit;
      expect(part).toBeGreaterThanOrEqual(1 / 6);
      expect(part).toBeLessThanOrEqual(1 / 3);
    }
  });

  it('starts Redis so that it refuses writes before anything is evicted or killed', async () => {
    const script = (services['redis']?.['command'] as string[] | undefined)?.at(-1);
    expect(script).toContain('--maxmemory-policy noeviction');
    expect(script).toContain('--maxmemory ${REDIS_MAXMEMORY:-256mb}');
    const shared = 'shared_buffers=${POSTGRES_SHARED_BUFFERS:-256MB}';
    expect(services['postgres']?.['command']).toContain(shared);
    const recovery = parse(await read('deploy/compose/pitr.yaml')) as { services: Record<string, Item> };
    expect(recovery.services['postgres']?.['command']).toContain(shared);
  });
});

it('measurements are those of performance.md', async () => {
  const text = await read('docs/performance.md');
  expect(text).toMatch(/\| tunnels\s+\|.*\|\s+132 \|/);
  expect(text).toMatch(/Without, as images run, it is about 700/);
  expect(text).toMatch(/1,000 agents, straight to tunnels\s+\|.*\|\s+61\.4 \|/);
});

/** What a service is for itself, without the credentials that each has. */
const OF_EACH = ['NATS_USER', 'NATS_PASSWORD', 'REDIS_USER', 'REDIS_PASSWORD', 'CALLER_KEY', 'DATABASE_URL'];

describe('the profile small', () => {
  let services: Record<string, Item>;

  beforeAll(async () => {
    services = (parse(await read('deploy/compose/compose.yaml'), { merge: true }) as { services: Record<string, Item> })
      .services;
  });

  const environmentOf = (name: string) => services[name]?.['environment'] as Record<string, string>;

  it.each(['gateway', 'identity', 'tenancy', 'devices', 'fleet', 'audit', 'tunnels'])(
    'gives the hub all that %s has',
    (name) => {
      const hub = environmentOf('hub');
      for (const [variable, value] of Object.entries(environmentOf(name))) {
        const own = OF_EACH.includes(variable) ? `${name.toUpperCase()}_${variable}` : variable;
        expect([own, hub[own]?.replace('${WARREN_DATABASE:-warren}', 'warren')]).toEqual([own, value]);
      }
    },
  );

  it('runs the hub where Caddy looks for gateways and tunnels, and no service beside it', () => {
    expect(services['hub']).toMatchObject({
      profiles: ['small'],
      deploy: { replicas: 1 },
      networks: { default: { aliases: ['gateway', 'tunnels'] } },
    });
    for (const name of ['gateway', 'identity', 'tenancy', 'devices', 'fleet', 'audit', 'tunnels'])
      expect(services[name]?.['deploy']).toEqual({ replicas: '${REPLICAS:-2}' });
  });
});
