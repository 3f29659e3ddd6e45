import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { until } from '@warren/infra/until';
import { StreamKind } from '@warren/proto/audit/v1/audit';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { FileClient } from '../src/streams/delivery/file.client.ts';
import { StreamsService } from '../src/streams/settings/streams.service.ts';
import { AuditWorld, person, renamed } from './audit.world.ts';

interface Line {
  action: string;
  accountId: string;
  sequence: number;
}

let world: AuditWorld;
let folder: string;
let replica: INestApplicationContext | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'warren-files-'));
  world = await AuditWorld.start();
});
afterAll(async () => {
  await replica?.close();
  await world?.end();
  await rm(folder, { recursive: true, force: true });
});

const settings = () => ({ AUDIT_STREAM_FOLDER: folder });
const service = () => (replica ?? world.app).get(StreamsService);
const wanted = (more: object = {}) =>
  ({ accountId: '', all: true, name: uuidv7(), kind: StreamKind.FILE, url: '', ca: '', ...more }) as never;
const create = async () => (await service().create(world.operator, wanted())).stream?.id ?? '';
const stateOf = async (id: string) =>
  (await service().list(world.operator, { accountId: '', all: true })).streams.find((one) => one.id === id)?.state;
const lines = async (id: string) => (await readFile(join(folder, id, 'audit.ndjson'), 'utf8')).split('\n');
const eventsOf = async (id: string, account: string): Promise<Line[]> =>
  (await lines(id))
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
    .filter(({ accountId }) => accountId === account);

it('are the operator’s, and need a folder', async () => {
  await expect(service().create(world.operator, wanted())).rejects.toThrow('AUDIT_STREAM_FOLDER');
  replica = await world.replica(settings());
  const account = uuidv7();
  await expect(service().create(person(account), wanted())).rejects.toMatchObject({ code: 'permission_denied' });
  const own = wanted({ accountId: account, all: false });
  await expect(service().create(person(account), own)).rejects.toMatchObject({ problems: [{ field: 'kind' }] });
  await expect(service().create(world.operator, wanted({ url: '../x' }))).rejects.toMatchObject({
    problems: [{ field: 'url' }],
  });
  const { files } = await service().list(world.operator, { accountId: '', all: true });
  expect(files).toBe(true);
});

it('have each event in whole lines after the process was killed while it wrote', async () => {
  const id = await create();
  await replica?.close();
  await world.app.close();
  const child: ChildProcess = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'fault.process.ts'), 'recorder'],
    { env: { ...world.environment(), ...settings(), PATH: process.env['PATH'] }, stdio: 'inherit' },
  );
  const account = uuidv7();
  const exit = once(child, 'exit');
  await world.publish(...Array.from({ length: 600 }, () => renamed(person(account))));
  await until(async () => (await lines(id).catch(() => [])).length > 100, 60_000);
  child.kill('SIGKILL');
  await exit;
  await appendFile(join(folder, id, 'audit.ndjson'), '{"id":"torn');
  replica = world.app = await world.replica(settings());
  const sequences = async () => [...new Set((await eventsOf(id, account)).map(({ sequence }) => sequence))];
  await until(async () => (await sequences().catch(() => [])).length === 600, 60_000);
  expect(await sequences()).toEqual(Array.from({ length: 600 }, (_, at) => at + 1));
  await until(async () => Number((await stateOf(id))?.waiting) === 0);
  expect((await lines(id)).at(-1)).toBe('');
  await service().delete(world.operator, { id });
});

it('wait for a full disk, which the state of the stream says, and lose nothing', async () => {
  await replica?.close();
  const disk = { isFull: false };
  replica = world.app = await world.replicaWith(new FileClient(folder, { open: (...way) => opened(disk, ...way) }));
  const id = await create();
  await until(async () => Number((await stateOf(id))?.waiting) === 0);
  disk.isFull = true;
  const account = uuidv7();
  await world.publish(...Array.from({ length: 30 }, () => renamed(person(account))));
  await until(async () => (await stateOf(id))?.failingSince !== undefined, 30_000);
  expect((await stateOf(id))?.lastError).toBe('The file could not be written. The disk is full.');
  await until(async () => (await lines(id)).at(-1) !== '');
  disk.isFull = false;
  const sequences = async () => [...new Set((await eventsOf(id, account)).map(({ sequence }) => sequence))];
  await until(async () => (await stateOf(id))?.failingSince === undefined, 30_000);
  await until(async () => Number((await stateOf(id))?.waiting) === 0);
  expect(await sequences()).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
  expect((await lines(id)).at(-1)).toBe('');
});

/** Opens a file of a disk that takes half of what is appended while it is full. */
async function opened(disk: { isFull: boolean }, path: string, flags: number, mode?: number) {
  const file = await open(path, flags, mode);
  const append = file.appendFile.bind(file);
  file.appendFile = async (text) => {
    const data = text as Buffer;
    if (!disk.isFull) return append(data);
    await append(data.subarray(0, data.length / 2));
    throw Object.assign(new Error(), { code: 'ENOSPC' });
  };
  return file;
}
