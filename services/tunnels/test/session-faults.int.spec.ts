import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { AuditOutcome, type AuditEvent } from '@warren/proto/audit/v1/audit';
import { Redis } from 'ioredis';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FakeAgent, TestDevice } from './fake.agent.ts';
import { TunnelsProcess } from './tunnels.process.ts';
import type { Browser } from './world.ts';

/** Replicas of a dead process are taken over after two looks. */
const TAKEN_OVER_MS = 60_000;
const FAILED = 'terminal.open: failed';
const OPENED = 'terminal.open';
const LOST = 'terminal.close: lost, not counted';
const LEFT = 'terminal.close: detached, counted';

/** By whether there are seconds, bytes to the device and bytes from it. */
const COUNTED = new Map([
  ['true,true,true', 'counted'],
  ['false,false,false', 'not counted'],
]);

/** Steps at which a process is killed, and what the audit trail has of its session in the end. */
const STEPS: readonly (readonly [step: string, trail: readonly string[]])[] = [
  ['before it is held', []],
  ['before the device is asked', [FAILED]],
  ['before the start is stored', [FAILED]],
  ['after the start is stored', [OPENED, LOST]],
  ['before the start is published', [OPENED, LOST]],
  ['before the start leaves the outbox', [OPENED, LOST]],
  ['before the end is stored', [OPENED, LOST]],
  ['after the end is stored', [OPENED, LEFT]],
];

let folder: string;
let tunnels: TunnelsProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'warren-session-faults-'));
  tunnels = await TunnelsProcess.prepare(join(folder, 'redis'));
});
afterAll(async () => {
  await tunnels?.stop();
  await rm(folder, { recursive: true, force: true });
});

function nameOf({ action, outcome, details }: AuditEvent): string {
  const { ended, ...more } = JSON.parse(details || '{}') as { ended?: string };
  if (ended === undefined) return outcome === AuditOutcome.FAILED ? `${action}: failed` : action;
  const isCounted = ['seconds', 'bytes_to_device', 'bytes_from_device'].map((count) => count in more);
  return `${action}: ${ended}, ${COUNTED.get(isCounted.join()) ?? 'counted in part'}`;
}

/** What the audit service would store: an event once for each id. */
function trailOf({ id }: TestDevice): string[] {
  const ofDevice = tunnels.events.flatMap(({ id: event, kind }) =>
    kind.case === 'audit' && kind.value.target?.id === id ? [[event, nameOf(kind.value)] as const] : [],
  );
  return [...new Map(ofDevice).values()].toSorted().toReversed();
}

/** Opens a terminal. */
async function open(device: TestDevice): Promise<{ agent: FakeAgent; browser: Browser }> {
  const agent = await tunnels.dial(device);
  const browser = tunnels.browser(device);
  browser.socket.emit('register', { cols: 80, rows: 24 });
  return { agent, browser };
}

const isOpen = (browser: Browser) => browser.heard('register_status')?.['success'] === true;

describe('the events of a session', () => {
  it('are stored once, whichever step its process is killed at', async () => {
    const sessions: { device: TestDevice; trail: readonly string[] }[] = [];
    for (const [step, trail] of STEPS) {
      const device = tunnels.neighbours.device();
      await tunnels.start(step);
      const { agent, browser } = await open(device);
      if (step.includes('the end')) {
        await until(() => isOpen(browser), 30_000);
        browser.socket.disconnect();
      }
      expect(await tunnels.ended()).toBe('SIGKILL');
      // Before it asks, nothing of the device has been used.
      expect(agent.terminals.length).toBe(step.startsWith('before it is held') || step.includes('is asked') ? 0 : 1);
      browser.socket.disconnect();
      agent.kill();
      sessions.push({ device, trail });
    }
    await tunnels.start();
    const now = () => sessions.map(({ device }) => trailOf(device).join(', '));
    const wanted = sessions.map(({ trail }) => trail.join(', '));
    await until(() => now().join() === wanted.join(), TAKEN_OVER_MS).catch(() => {});
    expect(now()).toEqual(wanted);
  });

  it('are stored once when Redis is killed and its process lives, whether or not Redis has its data again', async () => {
    for (const isKept of [true, false]) {
      const device = tunnels.neighbours.device();
      const { agent, browser } = await open(device);
      await until(() => isOpen(browser), 30_000);
      await until(() => trailOf(device).length === 1);
      await tunnels.redis.kill();
      if (!isKept) await rm(join(folder, 'redis/appendonlydir'), { recursive: true });
      browser.socket.disconnect();
      await tunnels.redis.start();
      await until(() => trailOf(device).length === 2, TAKEN_OVER_MS);
      expect(trailOf(device)).toEqual([OPENED, LEFT]);
      agent.kill();
    }
  });

  it('are stored once when Redis and the process are killed after Redis has written to its disk', async () => {
    const device = tunnels.neighbours.device();
    const { agent, browser } = await open(device);
    await until(() => isOpen(browser), 30_000);
    await until(() => trailOf(device).length === 1);
    const redis = new Redis(tunnels.redis.url);
    await until(async () => /aof_pending_bio_fsync:0\b/.test(await redis.info('persistence')));
    redis.disconnect();
    await Promise.all([tunnels.redis.kill(), tunnels.kill('SIGKILL')]);
    browser.socket.disconnect();
    agent.kill();
    await tunnels.redis.start();
    await tunnels.start();
    await until(() => trailOf(device).length === 2, TAKEN_OVER_MS);
    expect(trailOf(device)).toEqual([OPENED, LOST]);
  });
});
