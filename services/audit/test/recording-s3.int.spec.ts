import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { startS3, type S3Server } from '@warren/infra/s3';
import { until } from '@warren/infra/until';
import type { Caller } from '@warren/platform/rpc/caller';
import { registry } from '@warren/platform/telemetry/metrics';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { RecordingKeeper } from '../src/recordings/keep/recording.keeper.ts';
import { RecordingManager } from '../src/recordings/manage/manage.service.ts';
import { chunkName } from '../src/recordings/store/object.store.ts';
import { RecordingStore } from '../src/recordings/store/recording.store.ts';
import { RecordingWriter } from '../src/recordings/writer.ts';
import { AuditWorld, person } from './audit.world.ts';
import { appended, bytesOf, output, played, record, session } from './recording.sessions.ts';

let world: AuditWorld;
let s3: S3Server;
let objects: string;
let account: string;
let owner: Caller;

beforeAll(async () => {
  s3 = await startS3('recordings');
  objects = join(s3.folder, 'hub');
  world = await AuditWorld.start({
    RECORDINGS_BUCKET: s3.bucket,
    RECORDINGS_PREFIX: 'hub/',
    RECORDINGS_ENDPOINT: s3.url,
    RECORDINGS_PATH_STYLE: 'Yes',
    RECORDINGS_ACCESS_KEY: s3.accessKey,
    RECORDINGS_SECRET_KEY: s3.secretKey,
  });
});
afterAll(async () => {
  process.kill(s3.pid, 'SIGCONT');
  await world?.end();
  await s3?.stop();
});
beforeEach(() => {
  account = uuidv7();
  owner = person(account);
});

const app = (): INestApplicationContext => world.app;
const store = () => app().get(RecordingStore);
const gauge = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values[0]?.value;

it('keeps what it got while the server is killed, and continues at the byte after', async () => {
  const of = session(account);
  const writer = app().get(RecordingWriter);
  const parts = Array.from({ length: 12 }, () => randomBytes(100_000));
  let { id, next } = await writer.open(of);
  const write = async (at: number) => {
    const part = parts[at] ?? Buffer.alloc(0);
    await writer.append(id, appended(next, output(at, part)));
    next += part.length;
  };
  for (let at = 0; at < 6; at++) await write(at);
  await s3.kill();
  await expect(write(6)).rejects.toMatchObject({ code: 'unavailable' });
  expect(store().problem).toContain('does not answer');
  expect(await gauge('warren_recording_store_failing')).toBe(1);
  await expect(writer.open(of)).rejects.toMatchObject({ code: 'unavailable' });
  await s3.start();
  await store().check();
  expect(await gauge('warren_recording_store_failing')).toBe(0);
  ({ id, next } = await writer.open(of));
  expect(next).toBe(600_000);
  for (let at = 6; at < parts.length; at++) await write(at);
  await writer.close(id, { exit: 0 });
  expect(bytesOf(await played(world, owner, id)).equals(Buffer.concat(parts))).toBe(true);
  expect(existsSync(join(objects, 'warren-recordings'))).toBe(true);
});

it('removes the objects of a deleted recording', async () => {
  const id = await record(world, session(account), [[output(0, 'x')], [output(1, 'y')]]);
  expect(readdirSync(join(objects, account, id))).toHaveLength(2);
  await app().get(RecordingManager).delete(owner, id);
  await app().get(RecordingKeeper).round();
  await until(() => !existsSync(join(objects, account, id)) || readdirSync(join(objects, account, id)).length === 0);
});

it('is not taken for an empty one where the bucket has lost its objects', async () => {
  const id = await record(world, session(account), [[output(0, 'x')]]);
  renameSync(objects, `${objects}-away`);
  await store().check();
  expect(store().problem).toContain('marker');
  await app().get(RecordingKeeper).round();
  renameSync(`${objects}-away`, objects);
  await store().check();
  expect(bytesOf(await played(world, owner, id)).toString()).toBe('x');
});

it('does not wait for a server that hangs, and holds little for it', async () => {
  const writer = app().get(RecordingWriter);
  const { id: recordingId } = await writer.open(session(account));
  process.kill(s3.pid, 'SIGSTOP');
  const content = Buffer.alloc(1_048_576);
  const pending = [
    ...[0, 1, 2, 3].map((at) => writer.append(recordingId, appended(at, output(at, 'x')))),
    ...Array.from({ length: 60 }, (_, sequence) =>
      store().put(chunkName({ accountId: account, recordingId }, { sequence, claim: 1_000 }), content),
    ),
  ];
  const results = await Promise.allSettled(pending);
  process.kill(s3.pid, 'SIGCONT');
  expect(results.every(({ status }) => status === 'rejected')).toBe(true);
  const tooMuch = results.filter((one) => 'reason' in one && String(one.reason).includes('too slow'));
  expect(tooMuch.length).toBeGreaterThanOrEqual(12);
  await until(async () => {
    await store().check();
    return store().problem === undefined;
  });
});
