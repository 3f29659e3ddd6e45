import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { Fault } from '@warren/platform/errors/fault';
import { newEvent } from '@warren/platform/events/event';
import type { Caller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import type { RecordedEvent } from '@warren/rules/recordings/frames';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { RecordingKeeper } from '../src/recordings/keep/recording.keeper.ts';
import { RecordingManager } from '../src/recordings/manage/manage.service.ts';
import { RecordingStore } from '../src/recordings/store/recording.store.ts';
import { ContinuousVerification } from '../src/recordings/verify/continuous.verification.ts';
import { RecordingVerifier } from '../src/recordings/verify/recording.verifier.ts';
import { ViewService } from '../src/recordings/view/view.service.ts';
import { ClaimLost, RecordingWriter } from '../src/recordings/writer.ts';
import { AuditWorld, person } from './audit.world.ts';
import { appended, bytesOf, output, played, record, session } from './recording.sessions.ts';

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
const views = () => world.app.get(ViewService);
const manager = () => world.app.get(RecordingManager);
const listed = async (caller: Caller, more = {}) => {
  const request = { accountId: '', deviceId: '', person: '', limit: 50, cursor: '', ...more };
  return (await views().list(caller, request)).recordings ?? [];
};
const actions = async (caller = owner) =>
  ((await world.list(caller)).events ?? []).map(({ event }) => event?.action).sort();
const folder = (id: string) => join(world.folder, account, id);

describe('a recording', () => {
  it('equals the events that were appended, encrypted in the store', async () => {
    const events: RecordedEvent[][] = [
      [output(0, 'secret-word\r\n'), { atMs: 5, kind: 'resize', cols: 100, rows: 30 }],
      [{ atMs: 40, kind: 'joined', person: 'bob@a.example' }, output(41, randomBytes(200_000))],
      [{ atMs: 60, kind: 'gap', bytes: 77, why: 'the device did not answer' }, output(61, Buffer.from([0xc3]))],
      [output(62, Buffer.from([0xa9])), { atMs: 70, kind: 'left', person: 'bob@a.example' }],
    ];
    const id = await record(world, session(account), events);
    expect(await played(world, owner, id)).toEqual(
      events.flat().map((one) => (one.kind === 'output' ? { ...one, bytes: expect.anything() } : one)),
    );
    expect(bytesOf(await played(world, owner, id)).equals(bytesOf(events.flat()))).toBe(true);
    const [shown] = await listed(owner);
    expect(shown).toMatchObject({ id, chunks: 4, gaps: 1, gapBytes: 77n, exit: 0, signed: true, durationMs: 70n });
    const files = readdirSync(folder(id));
    expect(files.sort()).toEqual(['0-1', '1-1', '2-1', '3-1']);
    for (const file of files) expect(readFileSync(join(folder(id), file)).includes('secret-word')).toBe(false);
    expect(await actions()).toEqual(['recording.finish', 'recording.start', 'recording.view']);
  });

  it('continues at its last stored byte under another writer, and refuses the one before', async () => {
    const of = session(account);
    const first = writer();
    const { id } = await first.open(of);
    await first.append(id, appended(0, output(0, 'one')));
    const other = await world.replica();
    try {
      const second = other.get(RecordingWriter);
      expect(await second.open(of)).toEqual({ id, next: 3 });
      await expect(first.append(id, appended(3, output(1, 'lost')))).rejects.toBeInstanceOf(ClaimLost);
      await second.append(id, appended(3, output(1, 'two')));
      await second.close(id, { exit: 3 });
    } finally {
      await other.close();
    }
    expect(bytesOf(await played(world, owner, id)).toString()).toBe('onetwo');
    await expect(first.open(of)).rejects.toThrow('is closed');
  });

  it('takes 4 appends at once in order, and none that leaves out bytes', async () => {
    const { id } = await writer().open(session(account));
    const parts = [0, 1, 2, 3].map((at) => appended(at * 1_000, output(at, Buffer.alloc(1_000, at))));
    const pending = parts.map((one) => writer().append(id, one));
    await expect(writer().append(id, appended(4_000, output(4, 'x')))).rejects.toThrow('pending');
    await Promise.all(pending);
    await expect(writer().append(id, appended(9_999, output(4, 'x')))).rejects.toBeInstanceOf(RangeError);
    await expect(writer().append(id, { from: 4_000, to: 4_005, events: [output(4, 'x')] })).rejects.toThrow('end at');
    await expect(writer().append(id, appended(4_000, output(5, Buffer.alloc(800_000))))).rejects.toThrow('at most');
    await writer().append(id, appended(4_000, output(5, 'end')));
    expect(bytesOf(await played(world, owner, id)).length).toBe(4_003);
  });

  it('is not read where a chunk was changed, or comes from another recording', async () => {
    const [one, two] = [session(account), session(account)];
    const first = await record(world, one, [[output(0, 'first')]]);
    const second = await record(world, two, [[output(0, 'other')]]);
    await played(world, owner, first);
    renameSync(join(folder(second), '0-1'), join(folder(first), '0-1'));
    await expect(played(world, owner, first)).rejects.toMatchObject({
      code: 'data_loss',
      message: expect.stringContaining('was changed in its store'),
    });
    const content = readFileSync(join(folder(first), '0-1'));
    content.writeUInt8(255 - content.readUInt8(40), 40);
    writeFileSync(join(folder(second), '0-1'), content);
    await expect(played(world, owner, second)).rejects.toMatchObject({
      code: 'data_loss',
      message: expect.stringContaining('was changed in its store'),
    });
  });
});

describe('people', () => {
  it('see the recordings of their account, and none of another', async () => {
    const id = await record(world, session(account), [[output(0, 'x')]]);
    const stranger = person(uuidv7());
    expect(await listed(stranger)).toEqual([]);
    for (const work of [views().get(stranger, id), played(world, stranger, id), manager().delete(stranger, id)])
      await expect(work).rejects.toMatchObject({ code: 'not_found' });
    expect((await listed(world.operator, { accountId: account })).map((one) => one.id)).toEqual([id]);
    expect(await listed(owner, { person: 'eve@a.example' })).toEqual([]);
    expect(await listed(owner, { person: 'Ada@a.example', live: false })).toHaveLength(1);
  });

  it('without the permission see their own sessions alone', async () => {
    const member = person(account, Role.MEMBER);
    const userId = member.kind.case === 'user' ? member.kind.value.userId : '';
    const own = await record(world, session(account, { userId }), [[output(0, 'x')]]);
    const other = await record(world, session(account), [[output(0, 'x')]]);
    expect((await listed(member)).map((one) => one.id)).toEqual([own]);
    await expect(views().get(member, own)).resolves.toBeDefined();
    await expect(views().get(member, other)).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(played(world, member, own)).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(manager().delete(person(account, Role.ADMIN), own)).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });

  it('delete what is neither live nor held, with its objects', async () => {
    const of = session(account);
    const id = await record(world, of, [[output(0, 'x')]], { close: false });
    await expect(manager().delete(owner, id)).rejects.toThrow('live');
    await writer().close(id, { reason: 'the device is gone' });
    await manager().hold(owner, { id, held: true, reason: 'Case 14' });
    await expect(manager().delete(owner, id)).rejects.toThrow('held');
    expect((await listed(owner))[0]).toMatchObject({ hold: { reason: 'Case 14' }, reason: 'the device is gone' });
    await manager().hold(owner, { id, held: false, reason: '' });
    await manager().delete(owner, id);
    await expect(views().get(owner, id)).rejects.toBeInstanceOf(Fault);
    await world.app.get(RecordingKeeper).round();
    expect(readdirSync(world.folder)).not.toContain(account);
    expect(await actions()).toEqual(
      ['delete', 'finish', 'hold', 'release', 'start'].map((verb) => `recording.${verb}`),
    );
  });
});

describe('a deleted account', () => {
  it('loses its recordings once the deletion has happened, but for those that are held', async () => {
    const gone = await record(world, session(account), [[output(0, 'x')]]);
    const kept = await record(world, session(account), [[output(0, 'kept')]]);
    await manager().hold(owner, { id: kept, held: true, reason: 'Case 15' });
    await world.publish(newEvent({ kind: { case: 'accountDeleted', value: { accountId: account } } }));
    await until(async () => (await listed(world.operator, { accountId: account })).length === 1);
    await expect(views().get(world.operator, gone)).rejects.toMatchObject({ code: 'not_found' });
    expect(bytesOf(await played(world, world.operator, kept)).toString()).toBe('kept');
  });
});

describe('a store whose volume is not mounted', () => {
  it('refuses what is new, and loses no row', async () => {
    const id = await record(world, session(account), [[output(0, 'x')]]);
    const store = world.app.get(RecordingStore);
    renameSync(world.folder, `${world.folder}-away`);
    try {
      await store.check();
      expect(store.problem).toMatch(/marker|does not answer/);
      await expect(writer().open(session(account))).rejects.toMatchObject({ code: 'unavailable' });
      await world.app.get(RecordingKeeper).round();
      expect(await listed(owner)).toHaveLength(1);
    } finally {
      renameSync(`${world.folder}-away`, world.folder);
      await store.check();
    }
    expect(bytesOf(await played(world, owner, id)).toString()).toBe('x');
  });
});

describe('the verification', () => {
  const problems = async (id: string) =>
    ((await world.app.get(RecordingVerifier).verify({ id, accountId: account })) ?? []).map(({ sequence, what }) =>
      sequence === undefined ? what : `${sequence}: ${what}`,
    );
  const three = () => record(world, session(account), [[output(0, 'a')], [output(1, 'b')], [output(2, 'c')]]);

  it('finds nothing in whole recordings, open ones too', async () => {
    expect(await problems(await three())).toEqual([]);
    expect(await problems(await record(world, session(account), [[output(0, 'a')]], { close: false }))).toEqual([]);
  });

  it('finds what was changed, removed or swapped', async () => {
    const [changed, removed, swapped, row, end] = [
      await three(),
      await three(),
      await three(),
      await three(),
      await three(),
    ];
    const path = (id: string, name: string) => join(folder(id), name);
    writeFileSync(path(changed, '1-1'), readFileSync(path(changed, '1-1')).fill(7, 20, 21));
    renameSync(path(removed, '1-1'), `${path(removed, '1-1')}-away`);
    writeFileSync(path(swapped, '0-1'), readFileSync(path(swapped, '2-1')));
    await world.admin(`DELETE FROM trail.recording_chunks WHERE recording_id = '${row}' AND sequence = 2`);
    await world.admin(`UPDATE trail.recordings SET exit_code = 1, user_email = 'eve@a.example' WHERE id = '${end}'`);
    expect(await problems(changed)).toEqual(['1: it was changed']);
    expect(await problems(removed)).toEqual(['1: its content is missing']);
    expect(await problems(swapped)).toEqual(['0: it was changed']);
    expect(await problems(row)).toEqual(['1 chunks are missing at the end']);
    expect(await problems(end)).toEqual(['0: it was changed', "its end can't be trusted: wrong signature"]);
    await world.app.get(ContinuousVerification).round();
    const failed = await world.source.query<{ id: string }[]>(
      `SELECT id FROM recordings WHERE failed <> '' AND account_id = '${account}'`,
    );
    expect(failed).toHaveLength(5);
  });
});
