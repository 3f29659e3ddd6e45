import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { restoreKept } from '../src/system/keepers.ts';
import { until } from '@warren/infra/until';

const log = pino({ level: 'silent' });
let folder: string;
let keeper: Server;
let agent: Socket | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'warren-restored-'));
  keeper = createServer((socket) => (agent = socket));
  keeper.listen(join(folder, `${randomUUID()}.sock`));
  await once(keeper, 'listening');
});
afterEach(async () => {
  agent?.destroy();
  keeper.close();
  await rm(folder, { recursive: true });
});

function frame(type: string, payload: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32LE(payload.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, payload]);
}

/** A terminal with `end` bytes of output. */
function state(end: number): Buffer {
  const payload = Buffer.alloc(39);
  payload.writeBigUInt64LE(BigInt(end), 8);
  payload.writeUInt16LE(80, 32);
  payload.writeUInt16LE(24, 34);
  return frame('K', payload);
}

it('keeps a terminal whose output is late, and gets it then', async () => {
  let adopted = 0;
  let text = '';
  const restored = restoreKept({ folder, log, patience: 50 }, (_held, pty) => {
    adopted++;
    pty.onData = (bytes) => (text += Buffer.from(bytes).toString());
    return () => text.length;
  });
  await until(() => agent !== undefined);
  agent!.write(Buffer.concat([Buffer.from('kept 1\n'), state(4)]));
  await restored;
  expect([adopted, text]).toEqual([1, '']);
  agent!.write(frame('D', Buffer.concat([Buffer.alloc(8), Buffer.from('late')])));
  await until(() => text === 'late');
});

it('leaves a keeper that says nothing', async () => {
  await restoreKept({ folder, log, patience: 50 }, () => () => 0);
  await until(() => agent !== undefined && agent.destroyed);
});
