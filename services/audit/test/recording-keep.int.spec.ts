import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '@warren/platform/rpc/caller';
import { RecordingFull, RecordingPolicy, type RecordingSettings } from '@warren/proto/audit/v1/recordings';
import { Role } from '@warren/proto/common/v1/common';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { RecordingKeeper } from '../src/recordings/keep/recording.keeper.ts';
import { Sweeper } from '../src/recordings/keep/sweeper.ts';
import { RecordingManager } from '../src/recordings/manage/manage.service.ts';
import { RecordingSettingsService } from '../src/recordings/manage/settings.service.ts';
import { RecordingStore } from '../src/recordings/store/recording.store.ts';
import { ViewService } from '../src/recordings/view/view.service.ts';
import { ClaimLost, RecordingWriter } from '../src/recordings/writer.ts';
import { AuditWorld, person } from './audit.world.ts';
import { appended, output, played, record, session } from './recording.sessions.ts';

const MIB = 1_048_576;
let world: AuditWorld;
let account: string;
let owner: Caller;

beforeAll(async () => {
  world = await AuditWorld.start();
});
afterAll(() => world?.end(), 60_000);
beforeEach(() => {
  account = uuidv7();
  owner = person(account);
});

const writer = () => world.app.get(RecordingWriter);
const manager = () => world.app.get(RecordingManager);
const keeper = () => world.app.get(RecordingKeeper);
const settings = () => world.app.get(RecordingSettingsService);
const listed = async () => {
  const request = { accountId: account, deviceId: '', person: '', limit: 200, cursor: '' };
  return (await world.app.get(ViewService).list(world.operator, request)).recordings ?? [];
};
const ids = async () => (await listed()).map(({ id }) => id).sort();
const set = (more: Partial<RecordingSettings> = {}, version = 0, caller = owner) =>
  settings().set(caller, {
    accountId: account,
    version,
    settings: {
      policy: RecordingPolicy.BEST_EFFORT,
      filter: '',
      full: RecordingFull.DROP_OLDEST,
      redactions: [],
      search: true,
      desktops: false,
      ...more,
    } as RecordingSettings,
  });
const noise = (mib: number, from = 0) => output(from, randomBytes(mib * MIB));
const chunks = (mib: number) => Array.from({ length: mib * 2 }, () => [noise(0.5)]);
const used = async () => Number((await settings().get(owner, account)).used);
/** Makes a recording older. */
const age = (id: string, days: number) =>
  world.admin(`UPDATE trail.recordings SET ended = ended - interval '${days} days' WHERE id = '${id}'`);

describe('settings', () => {
  it('are off at first, and change with an event, by those who manage recordings', async () => {
    const before = await settings().get(owner, account);
    expect(before).toMatchObject({
      version: 0,
      settings: { policy: RecordingPolicy.OFF },
      defaultDays: 90,
      problem: '',
    });
    await set({ policy: RecordingPolicy.REQUIRED, days: 7, redactions: ['token=\\w+'] });
    await expect(set({}, 0)).rejects.toThrow('changed meanwhile');
    expect(await set({ days: 8 }, 1)).toMatchObject({ version: 2, settings: { days: 8 } });
    const [event] = (await world.list(owner)).events ?? [];
    expect(event?.event).toMatchObject({ action: 'recording.set_policy', target: { kind: 'recording_settings' } });
    const admin = person(account, Role.ADMIN);
    await expect(set({}, 2, admin)).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(set({}, 2, person(uuidv7()))).rejects.toMatchObject({ code: 'not_found' });
    await expect(settings().get(person(account, Role.MEMBER), account)).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });

  it.each([
    ['redactions', { redactions: ['(?=x)'] }],
    ['redactions', { redactions: ['('] }],
    ['filter', { filter: 'site=' }],
    ['days', { days: 0 }],
    ['quota', { quota: 5n }],
  ])('refuse a wrong %s', async (field, more) => {
    await expect(set(more)).rejects.toMatchObject({ code: 'invalid_argument', problems: [{ field }] });
  });
});

describe('retention', () => {
  it('deletes what is older than the account keeps it, but nothing that is held', async () => {
    await set({ days: 5 });
    const [young, old, held] = [
      await record(world, session(account), [[output(0, 'x')]]),
      await record(world, session(account), [[output(0, 'x')]]),
      await record(world, session(account), [[output(0, 'x')]]),
    ];
    await manager().hold(owner, { id: held, held: true, reason: 'Case 1' });
    for (const id of [old, held]) await age(id, 6);
    await keeper().round();
    expect(await ids()).toEqual([young, held].sort());
    const [event] = (await world.list(owner)).events ?? [];
    expect(event?.event).toMatchObject({ action: 'recording.drop', reason: 'age', target: { id: old } });
    expect(readdirSync(join(world.folder, account)).sort()).toEqual([young, held].sort());
  });
});

describe('a session that never ends', () => {
  const idle = (id: string, days: number) =>
    world.admin(`UPDATE trail.recordings SET last_at = last_at - interval '${days} days' WHERE id = '${id}'`);
  const open = () => record(world, session(account), [[output(0, 'x')]], { close: false });

  it('is closed and signed after the days of its account, and may be deleted after one', async () => {
    await set({ days: 5 });
    const [live, gone, lost] = [await open(), await open(), await open()];
    await idle(gone, 6);
    await idle(lost, 2);
    await keeper().round();
    const rows = await listed();
    expect(rows.find(({ id }) => id === gone)).toMatchObject({ signed: true, reason: 'nothing came for 5 days' });
    expect(rows.filter(({ ended }) => !ended).map(({ id }) => id)).toEqual([lost, live].sort().reverse());
    await manager().delete(owner, lost);
    await expect(manager().delete(owner, live)).rejects.toThrow('live');
  });

  it('is left alone while its recorder says that it lives', async () => {
    await set({ days: 5 });
    const live = await open();
    await idle(live, 6);
    await writer().touch(live);
    await keeper().round();
    const [row] = (await listed()).filter(({ id }) => id === live);
    expect([row?.ended, row?.reason]).toEqual([undefined, '']);
    writer().release(live);
    await expect(writer().touch(live)).rejects.toThrow(ClaimLost);
  });
});

describe('a quota', () => {
  it('drops the oldest recordings that are over and not held', async () => {
    await set({ quota: BigInt(64 * MIB), search: false });
    const made: string[] = [];
    for (let at = 0; at < 3; at++) made.push(await record(world, session(account), chunks(20)));
    const [first = '', second = ''] = made;
    await manager().hold(owner, { id: first, held: true, reason: 'Case 2' });
    const last = await record(world, session(account), chunks(10));
    expect(await ids()).toEqual([...made.filter((id) => id !== second), last].sort());
    expect(await used()).toBeLessThanOrEqual(64 * MIB);
  });

  it('counts chunks that are written at the same time, and refuses those that do not fit', async () => {
    await set({ quota: BigInt(64 * MIB), full: RecordingFull.REFUSE, search: false });
    const opened = await Promise.all(Array.from({ length: 8 }, () => writer().open(session(account))));
    const fill = async (id: string) => {
      for (let at = 0; at < 40; at++) await writer().append(id, appended((at * MIB) / 2, noise(0.5)));
    };
    const results = await Promise.allSettled(opened.map(({ id }) => fill(id)));
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(results[0]).toMatchObject({ reason: { code: 'resource_exhausted' } });
    const stored = (await listed()).reduce((sum, one) => sum + Number(one.stored), 0);
    expect(stored).toBe(await used());
    expect(stored).toBeLessThanOrEqual(64 * MIB);
    expect(stored).toBeGreaterThan(60 * MIB);
  });
});

describe('the sweep', () => {
  const old = (name: string) => {
    const path = join(world.folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, 'x');
    utimesSync(path, 1_700_000_000, 1_700_000_000);
  };
  const sweep = () => world.app.get(Sweeper).removeOrphans(Date.now(), 0);
  const files = (id: string) => readdirSync(join(world.folder, account, id)).sort();

  it('removes old objects without a row, and none that has one', async () => {
    const id = await record(world, session(account), [[output(0, 'x')]]);
    const path = join(world.folder, account, id, '0-1');
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    old(`${account}/${id}/1-1`);
    writeFileSync(join(world.folder, account, id, '2-1'), 'of a writer that commits its row in a moment');
    await sweep();
    expect(files(id)).toEqual(['0-1', '2-1']);
  });

  it('removes nothing where most rows are missing', async () => {
    const id = uuidv7();
    for (let at = 0; at < 200; at++) old(`${account}/${id}/${at}-1`);
    await sweep();
    expect(files(id)).toHaveLength(200);
    rmSync(join(world.folder, account, id), { recursive: true });
  });

  it('removes nothing of a store with another marker, nor any row', async () => {
    const id = await record(world, session(account), [[output(0, 'x')]]);
    old(`${account}/${id}/7-1`);
    const marker = join(world.folder, 'warren-recordings');
    const store = world.app.get(RecordingStore);
    const { [0]: known } = await world.source.query<{ id: string }[]>('SELECT id FROM recording_store');
    writeFileSync(marker, uuidv7());
    await expect(sweep()).rejects.toMatchObject({ code: 'unavailable' });
    await keeper().round();
    expect(files(id)).toContain('7-1');
    writeFileSync(marker, `${known?.id ?? ''}\n`);
    await store.check();
    expect(await played(world, owner, id)).toHaveLength(1);
  });
});
