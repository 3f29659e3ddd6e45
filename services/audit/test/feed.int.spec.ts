import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { until } from '@warren/infra/until';
import { Role } from '@warren/proto/common/v1/common';
import { RecordingFull } from '@warren/proto/audit/v1/recordings';
import { Recording, TerminalRefusal } from '@warren/proto/agent/v1/agent';
import { rename } from 'node:fs/promises';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Followers } from '../src/recordings/feed/followers.ts';
import { addUsage, putSettings } from '../src/recordings/keep/usage.sql.ts';
import { UNCHANGED } from '../src/recordings/manage/settings.service.ts';
import { RecordingClaims } from '../src/recordings/feed/claims.ts';
import type { RecordedEvent } from '../src/recordings/writer.ts';
import { AuditWorld, person } from './audit.world.ts';
import { FakeTerminal, FakeTunnels } from './fake.tunnels.ts';
import { numbers, outputOf } from './random.output.ts';
import { bytesOf, played, sizesOf } from './recording.sessions.ts';

/** Takeover after a death: a lease of 3 s and a round each second. */
const TAKEOVER_MS = 5_000;

describe('the recorders of terminals', () => {
  const accountId = uuidv7();
  const owner = person(accountId, Role.OWNER);
  let world: AuditWorld;
  let tunnels: FakeTunnels;

  const recordingOf = async (terminal: FakeTerminal) => {
    const sql = 'SELECT id, ended, exit_code AS exit, reason, cols, rows FROM recordings WHERE terminal = $1';
    const [row] = (await world.app.get(DataSource).query(sql, [terminal.session])) as Row[];
    return row;
  };
  const closed = async (terminal: FakeTerminal) => {
    await until(() => terminal.closed, 60_000);
    return (await recordingOf(terminal))!;
  };
  const eventsOf = async (terminal: FakeTerminal): Promise<RecordedEvent[]> =>
    played(world, owner, (await closed(terminal)).id);

  beforeAll(async () => {
    world = await AuditWorld.start();
    tunnels = await FakeTunnels.start(world.nats.url);
  });
  afterAll(async () => {
    await tunnels?.stop();
    await world?.end();
  });

  it('store every byte, the exit last, and say so when all is durable', async () => {
    const terminal = new FakeTerminal(accountId);
    terminal.print('hello ');
    await tunnels.announce(terminal);
    await until(() => terminal.streams > 0);
    terminal.print(Buffer.alloc(3_000_000, 'flood '));
    terminal.end(7);
    const events = await eventsOf(terminal);
    expect(bytesOf(events).equals(terminal.output)).toBe(true);
    expect(terminal.stored).toBe(terminal.output.length);
    expect(await recordingOf(terminal)).toMatchObject({ exit: 7 });
    await tunnels.forget(terminal);
  });

  it('mark what has left the buffer, and bound what a device says', async () => {
    const terminal = new FakeTerminal(accountId, Recording.BEST_EFFORT);
    terminal.size = { cols: 4_294_967_295, rows: 0 };
    terminal.print('x'.repeat(1_000));
    terminal.start = 400;
    await tunnels.announce(terminal);
    await until(() => terminal.streams > 0);
    for (const cols of [0, 100_000, 90])
      terminal.say({ case: 'output', value: { kind: { case: 'size', value: { cols, rows: 24 } } } });
    terminal.say({ case: 'joined', value: 'bob@a.example' });
    terminal.end(0);
    const events = await eventsOf(terminal);
    expect(await recordingOf(terminal)).toMatchObject({ cols: 1_000, rows: 1 });
    expect(events).toContainEqual(expect.objectContaining({ kind: 'gap', bytes: 400 }));
    expect(bytesOf(events)).toHaveLength(600);
    const sizes = events.flatMap((event) => (event.kind === 'resize' ? [event.cols] : []));
    expect(sizes.every((cols) => cols >= 1 && cols <= 1_000)).toBe(true);
    expect(events).toContainEqual(expect.objectContaining({ kind: 'joined', person: 'bob@a.example' }));
    await tunnels.forget(terminal);
  });

  it('close the recording of a device whose output goes back', async () => {
    const terminal = new FakeTerminal(accountId);
    terminal.print('first');
    await tunnels.announce(terminal);
    await until(() => terminal.streams > 0);
    await until(() => {
      terminal.sendData(2, 'again');
      return terminal.closed;
    });
    expect((await closed(terminal)).reason).toContain('wrong order');
    await tunnels.forget(terminal);
  });

  it('close the recording of a terminal that is gone', async () => {
    const terminal = new FakeTerminal(accountId);
    terminal.print('first');
    await tunnels.announce(terminal);
    await until(() => terminal.streams > 0);
    terminal.refuse(TerminalRefusal.GONE);
    expect((await closed(terminal)).reason).toContain('ended while nothing recorded it');
    await tunnels.forget(terminal);
  });

  it.each([7, 19, 101])('continue at the offset after broken streams, cut anywhere: seed %i', async (seed) => {
    const random = numbers(seed);
    const upTo = (most: number) => 1 + Math.floor(random() * most);
    const terminal = new FakeTerminal(accountId);
    terminal.pieceOf = () => upTo(3_000);
    const whole = outputOf(random, 1_000_000);
    await tunnels.announce(terminal);
    for (let at = 0; at < whole.length; at = terminal.output.length) {
      terminal.print(whole.subarray(at, at + upTo(30_000)));
      while (random() < 0.5) terminal.resize(upTo(300), upTo(100));
      await until(() => terminal.streams > 0);
      if (random() < 0.04) {
        const { streams } = terminal;
        terminal.cut();
        if (random() < 0.5) terminal.resize(upTo(300), upTo(100));
        await until(() => terminal.streams > streams);
      }
    }
    terminal.end(0);
    const events = await eventsOf(terminal);
    expect(bytesOf(events).equals(whole)).toBe(true);
    expect(terminal.streams).toBeGreaterThan(1);
    expect(sizesOf(events)).toEqual(sizesOf(playOf(terminal)));
    await tunnels.forget(terminal);
  });

  it('say when the store fails, and continue when it is back', async () => {
    const terminal = new FakeTerminal(accountId);
    await tunnels.announce(terminal);
    terminal.print('before ');
    await until(() => terminal.streams > 0);
    await rename(world.folder, `${world.folder}.away`);
    try {
      terminal.print(Buffer.alloc(1_000_000, 'meanwhile '));
      await until(() => terminal.troubles.some((trouble) => trouble !== ''), 60_000);
      expect(terminal.stored).toBeLessThan(terminal.output.length);
    } finally {
      await rename(`${world.folder}.away`, world.folder);
    }
    terminal.end(0);
    expect(bytesOf(await eventsOf(terminal)).equals(terminal.output)).toBe(true);
    await tunnels.forget(terminal);
  });

  it('claim those of other accounts while the quota of one is used up', async () => {
    const full = new FakeTerminal(uuidv7());
    await world.source.transaction(async (manager) => {
      const quota = 64 * 1_048_576;
      await putSettings(manager, full.accountId, { ...UNCHANGED, quota, full: RecordingFull.REFUSE });
      await addUsage(manager, full.accountId, quota);
    });
    const rests = () => (world.app.get(RecordingClaims) as unknown as Inside).restsUntil;
    const before = rests();
    await tunnels.announce(full);
    await until(() => full.troubles.filter((trouble) => trouble.includes('take all their space')).length > 1);
    expect(rests()).toBe(before);
    await tunnels.forget(full);
  });

  it('wait for a key that can be decrypted, and do not let the terminal go unrecorded', async () => {
    const terminal = new FakeTerminal(uuidv7());
    const key = [uuidv7(), terminal.accountId];
    await world.source.query(
      `INSERT INTO recording_keys (id, account_id, version, secret) VALUES ($1, $2, 1, '\\x00')`,
      key,
    );
    await tunnels.announce(terminal);
    await until(() => terminal.troubles.length > 1);
    expect(terminal.closed).toBe(false);
    await world.source.query('DELETE FROM recording_keys WHERE id = $1 AND account_id = $2', key);
    terminal.end(0);
    await closed(terminal);
    await tunnels.forget(terminal);
  });

  describe('of several replicas', () => {
    let second: INestApplicationContext;

    beforeAll(async () => {
      second = await world.replica();
    });
    afterAll(async () => second?.close());

    it('share the terminals, and take over from one that dies within 5 seconds', async () => {
      const terminals = Array.from({ length: 10 }, () => new FakeTerminal(accountId));
      for (const terminal of terminals) {
        await tunnels.announce(terminal);
        terminal.print(outputOf(numbers(3), 50_000));
      }
      const of = (app: INestApplicationContext) => followersOf(app).size;
      await until(() => of(world.app) + of(second) === 10 && terminals.every(({ streams }) => streams > 0));
      expect(of(second)).toBeGreaterThanOrEqual(3);
      const died = performance.now();
      await die(second);
      await until(() => of(world.app) === 10, 2 * TAKEOVER_MS);
      expect(performance.now() - died).toBeLessThan(TAKEOVER_MS);
      for (const terminal of terminals) {
        terminal.print('after');
        terminal.end(0);
      }
      for (const terminal of terminals) {
        expect(bytesOf(await eventsOf(terminal)).equals(terminal.output)).toBe(true);
        await tunnels.forget(terminal);
      }
    });

    it('stop writing when their claim is gone', async () => {
      const terminal = new FakeTerminal(accountId);
      await tunnels.announce(terminal);
      await until(() => terminal.streams > 0);
      expect(followersOf(world.app).size).toBe(1);
      await tunnels.forget(terminal);
      await until(() => followersOf(world.app).size === 0);
      expect(await recordingOf(terminal)).toMatchObject({ ended: null });
    });
  });
});

interface Row {
  id: string;
  ended: Date | null;
  exit: number | null;
  reason: string;
  cols: number;
  rows: number;
}

interface Inside {
  followers: Map<string, { stop(): void }>;
  rounds: { stop(): Promise<void> };
  restsUntil: number;
  subscriber: { disconnect(): void };
}

const followersOf = (app: INestApplicationContext) => (app.get(Followers) as unknown as Inside).followers;

/** Ends a replica as a crash does: it neither hands over nor gives up its leases. */
async function die(app: INestApplicationContext): Promise<void> {
  const { subscriber, rounds } = app.get(RecordingClaims) as unknown as Inside;
  subscriber.disconnect();
  await rounds.stop();
  for (const follower of followersOf(app).values()) follower.stop();
}

/** What a recording of a terminal is to hold of its sizes. */
function playOf({ resizes, output }: FakeTerminal): RecordedEvent[] {
  let from = 0;
  const events: RecordedEvent[] = [{ atMs: 0, kind: 'resize', cols: 80, rows: 24 }];
  for (const { offset, cols, rows } of resizes) {
    events.push({ atMs: 0, kind: 'output', bytes: output.subarray(from, offset) });
    events.push({ atMs: 0, kind: 'resize', cols, rows });
    from = offset;
  }
  return events;
}
