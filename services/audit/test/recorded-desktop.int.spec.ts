import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { until } from '@warren/infra/until';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Recording } from '@warren/proto/agent/v1/agent';
import { RecordingFormat, RecordingKind, RecordingPolicy } from '@warren/proto/audit/v1/recordings';
import { Role } from '@warren/proto/common/v1/common';
import { createHash } from 'node:crypto';
import { renameSync } from 'node:fs';
import { v7 as uuidv7 } from 'uuid';
import { RecordingExports } from '../src/recordings/export/recording.exports.ts';
import { Followers } from '../src/recordings/feed/followers.ts';
import { RecordingClaims } from '../src/recordings/feed/claims.ts';
import { RecordingKeeper } from '../src/recordings/keep/recording.keeper.ts';
import { putSettings } from '../src/recordings/keep/usage.sql.ts';
import { RecordingPolicyService } from '../src/recordings/manage/policy.service.ts';
import { UNCHANGED } from '../src/recordings/manage/settings.service.ts';
import { Indexer } from '../src/recordings/search/indexer.ts';
import { RecordingStore } from '../src/recordings/store/recording.store.ts';
import { RecordingVerifier } from '../src/recordings/verify/recording.verifier.ts';
import { PlayService } from '../src/recordings/view/play.service.ts';
import { ViewService } from '../src/recordings/view/view.service.ts';
import { AuditWorld, person } from './audit.world.ts';
import { FakeDesktop, FakeTunnels, type FakeTerminal } from './fake.tunnels.ts';
import { bytesOf, output, played, record, session } from './recording.sessions.ts';

describe('recordings of desktops', () => {
  const accountId = uuidv7();
  const owner = person(accountId, Role.OWNER);
  let world: AuditWorld;
  let tunnels: FakeTunnels;

  const listed = async (more: object = {}) => {
    const request = { accountId, deviceId: '', person: '', limit: 200, cursor: '', ...more };
    return (await world.app.get(ViewService).list(owner, request)).recordings ?? [];
  };
  const recordingOf = async (of: FakeTerminal) => (await listed()).find(({ terminal }) => terminal === of.session);
  const closed = async (desktop: FakeDesktop) => {
    await until(() => desktop.closed, 60_000);
    await tunnels.forget(desktop);
    return (await recordingOf(desktop))!;
  };
  const recorded = async (more: Partial<FakeDesktop> = {}) => {
    const desktop = Object.assign(new FakeDesktop(accountId), more);
    await tunnels.announce(desktop);
    await until(() => desktop.streams > 0);
    return desktop;
  };

  beforeAll(async () => {
    world = await AuditWorld.start();
    tunnels = await FakeTunnels.start(world.nats.url);
  });
  afterAll(async () => {
    await tunnels?.stop();
    await world?.end();
  });

  it('have every byte, why the desktop ended, and neither sizes nor an exit code', async () => {
    const desktop = await recorded();
    for (let at = 0; at < 8; at++) desktop.print(noise(at, 400_000));
    desktop.end(0);
    const { id = '', ...row } = await closed(desktop);
    const events = await played(world, owner, id);
    expect(bytesOf(events).equals(desktop.output)).toBe(true);
    expect(events.every(({ kind }) => kind === 'output')).toBe(true);
    expect(row).toMatchObject({
      kind: RecordingKind.DESKTOP,
      cols: 0,
      rows: 0,
      gaps: 0,
      reason: desktop.reason,
      signed: true,
      bytes: BigInt(desktop.output.length),
    });
    expect(row.exit).toBeUndefined();
    expect(desktop.stored).toBe(desktop.output.length);
    expect(await world.app.get(RecordingVerifier).verify({ id, accountId })).toEqual([]);
  });

  it('end with a gap where bytes are missing', async () => {
    const desktop = await recorded({ missing: 77n, reason: 'More came than could be stored in time.' });
    desktop.print('before');
    desktop.end(0);
    const { id = '', ...row } = await closed(desktop);
    expect(row).toMatchObject({ gaps: 1, gapBytes: 77n, reason: desktop.reason });
    const events = await played(world, owner, id);
    expect(events.map(({ kind }) => kind)).toEqual(['output', 'gap']);
    expect(events[1]).toMatchObject({ bytes: 77, why: desktop.reason });
  });

  it('continue at the stored byte after broken streams, and under another replica', async () => {
    const second = await world.replica();
    const desktops = await Promise.all(Array.from({ length: 6 }, () => recorded()));
    const sizeOf = (app: INestApplicationContext) => insideOf(app).followers.size;
    await until(() => sizeOf(second) >= 1 && sizeOf(world.app) + sizeOf(second) === 6);
    for (const [at, desktop] of desktops.entries()) desktop.print(noise(at, 1_500_000));
    desktops[0]!.cut();
    await die(second);
    for (const [at, desktop] of desktops.entries()) {
      desktop.print(noise(at + 10, 1_500_000));
      desktop.end(0);
    }
    for (const desktop of desktops) {
      const { id = '' } = await closed(desktop);
      expect(bytesOf(await played(world, owner, id)).equals(desktop.output)).toBe(true);
    }
    await second.close();
  });

  it('are closed where tunnels breaks its rules', async () => {
    const desktop = await recorded();
    desktop.print('first');
    await until(() => {
      desktop.sendData(2, 'again');
      return desktop.closed;
    });
    expect((await closed(desktop)).reason).toContain('wrong order');
  });

  it('differ from those of terminals in lists, and are neither drawn, searched nor exported', async () => {
    const id = await record(world, session(accountId, { kind: 'desktop' }), [[output(0, 'RFB 003.008\n')]]);
    const terminal = await record(world, session(accountId), [[output(0, 'a line\r\n')]]);
    const kinds = async (kind: RecordingKind) => (await listed({ kind })).map((one) => one.id);
    expect(await kinds(RecordingKind.DESKTOP)).toContain(id);
    expect(await kinds(RecordingKind.DESKTOP)).not.toContain(terminal);
    expect(await kinds(RecordingKind.TERMINAL)).not.toContain(id);
    await until(async () => {
      await world.app.get(Indexer).round();
      return ((await listed()).find((one) => one.id === terminal)?.searchable ?? 0n) > 0n;
    });
    expect((await listed()).find((one) => one.id === id)).toMatchObject({ searchable: 0n });
    expect(await world.app.get(PlayService).snapshot(owner, { id, atMs: 1_000n })).toEqual({});
    const exports = world.app.get(RecordingExports);
    for (const format of [RecordingFormat.ASCIICAST, RecordingFormat.TEXT])
      await expect(exports.start(owner, { id, format })).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(exports.start(person(uuidv7()), { id, format: 1 })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are made only where the settings of the account say so', async () => {
    const account = uuidv7();
    const policyOf = async (kind: RecordingKind) =>
      (
        await world.app
          .get(RecordingPolicyService)
          .get(serviceCaller('tunnels'), { accountId: account, deviceId: uuidv7(), kind })
      ).policy;
    const settings = { ...UNCHANGED, policy: RecordingPolicy.REQUIRED };
    await world.source.transaction((manager) => putSettings(manager, account, settings));
    expect(await policyOf(RecordingKind.TERMINAL)).toBe(RecordingPolicy.REQUIRED);
    expect(await policyOf(RecordingKind.DESKTOP)).toBe(RecordingPolicy.OFF);
    await world.source.transaction((manager) =>
      putSettings(manager, account, { ...settings, version: 1, desktops: true }),
    );
    expect(await policyOf(RecordingKind.DESKTOP)).toBe(RecordingPolicy.REQUIRED);
    expect(await policyOf(RecordingKind.UNSPECIFIED)).toBe(RecordingPolicy.OFF);
  });

  it('are closed when the process that showed the desktop is gone, unlike those of terminals', async () => {
    const open = (kind: 'terminal' | 'desktop') =>
      record(world, session(accountId, { kind }), [[output(0, 'x')]], { close: false });
    const [desktop, live, terminal] = [await open('desktop'), await open('desktop'), await open('terminal')];
    const idle = (id: string) =>
      world.admin(`UPDATE trail.recordings SET last_at = last_at - interval '6 minutes' WHERE id = '${id}'`);
    for (const id of [desktop, terminal]) await idle(id);
    const keeper = world.app.get(RecordingKeeper);
    const stateOf = async (id: string) => (await listed()).find((one) => one.id === id);
    await keeper.round();
    expect((await stateOf(desktop))?.ended).toBeUndefined();
    // Recorders had the time to come back.
    Object.assign(keeper, { startedAt: Number.NEGATIVE_INFINITY });
    await keeper.round();
    expect(await stateOf(desktop)).toMatchObject({
      reason: 'the process that showed the desktop ended',
      signed: true,
      ended: expect.anything(),
    });
    for (const id of [live, terminal]) expect((await stateOf(id))?.ended).toBeUndefined();
  });

  it('stay open while a recorder wants to continue them and the store is away', async () => {
    const desktop = await recorded();
    desktop.print('before');
    await until(() => desktop.stored === 6, 60_000);
    const { id = '' } = (await recordingOf(desktop))!;
    const store = world.app.get(RecordingStore);
    const keeper = world.app.get(RecordingKeeper);
    Object.assign(keeper, { startedAt: Number.NEGATIVE_INFINITY });
    renameSync(world.folder, `${world.folder}-away`);
    try {
      await store.check();
      desktop.cut();
      await world.admin(`UPDATE trail.recordings SET last_at = last_at - interval '6 minutes' WHERE id = '${id}'`);
      const idle = `SELECT last_at < now() - interval '5 minutes' AS idle FROM trail.recordings WHERE id = '${id}'`;
      await until(async () => (await world.source.query<{ idle: boolean }[]>(idle))[0]?.idle === false);
      await keeper.round();
    } finally {
      renameSync(`${world.folder}-away`, world.folder);
      await store.check();
    }
    desktop.print(' and after');
    desktop.end(0);
    const row = await closed(desktop);
    expect(row.reason).toBe(desktop.reason);
    expect(bytesOf(await played(world, owner, id)).toString()).toBe('before and after');
  });

  it('are best effort or required, as tunnels says', async () => {
    const desktop = new FakeDesktop(accountId, Recording.BEST_EFFORT);
    await tunnels.announce(desktop);
    await until(() => desktop.streams > 0);
    desktop.end(0);
    expect(await closed(desktop)).toMatchObject({ policy: RecordingPolicy.BEST_EFFORT, bytes: 0n });
  });
});

interface Inside {
  followers: Map<string, { stop(): void }>;
  rounds: { stop(): Promise<void> };
  subscriber: { disconnect(): void };
}

const insideOf = (app: INestApplicationContext) => app.get(Followers) as unknown as Inside;

/** Ends a replica as a crash does: it neither hands over nor gives up its leases. */
async function die(app: INestApplicationContext): Promise<void> {
  const { subscriber, rounds } = app.get(RecordingClaims) as unknown as Inside;
  subscriber.disconnect();
  await rounds.stop();
  for (const follower of insideOf(app).followers.values()) follower.stop();
}

/** Bytes that can't be compressed, the same for each seed. */
function noise(seed: number, length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, at) =>
    createHash('sha256').update(`${seed}:${at}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}
