import { create, toBinary } from '@bufbuild/protobuf';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MetricsSampleSchema } from '@warren/proto/agent/v1/agent';
import { watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import type { ClientHttp2Session } from 'node:http2';
import { join } from 'node:path';
import { SampleBuffer } from '../src/metrics/buffer.ts';
import { readStatus } from '../src/state/status.ts';
import type { HubLink } from './hub.ts';
import { SecureWorld } from './secure-world.ts';
import { until } from '@warren/infra/until';
import { World } from './world.ts';

/** Traffic of an idle link (docs/agent-protocol.md): a PING every 8.2 s, facts at least each 5 minutes. */
const PINGS_A_DAY = 86_400 / 8.2;
const FACTS_A_DAY = 86_400 / 300;
/** Heat and throttling in the facts, which the machine of the test may not have. */
const HEAT_BYTES = 8;
/** Overhead of a TLS record that carries one frame (RFC 8446, section 5.2): header, type and tag. */
const RECORD_BYTES = 22;
/** A PING frame (RFC 9113, section 6.7). */
const PING_BYTES = 17;
const MB = 1_000_000;
const PINGS = 50;
/** The hub asks for samples every two minutes, give or take 5 % (services/tunnels, USUAL_PACE). */
const MINUTES_OF_BATCH = 2;
const BATCHES_A_DAY = 86_400 / (MINUTES_OF_BATCH * 60 * 0.95);
const BATCHES = 60;

const ping = (session: ClientHttp2Session) =>
  new Promise<void>((resolve, reject) => session.ping((error) => (error ? reject(error) : resolve())));

/** Bytes of a PING and its answer, and at most those of one telling of facts, on the way that `counted` counts. */
async function costs({ session, client }: HubLink, counted: () => number) {
  await ping(session);
  const costsOfOne: number[] = [];
  for (let count = 0; count < PINGS; count++) {
    const before = counted();
    await ping(session);
    costsOfOne.push(counted() - before);
  }
  // The median: something else may be on the way beside a few of them.
  const each = costsOfOne.sort((a, b) => a - b)[PINGS / 2]!;
  // The whole call with one message is more than the message alone, which is what comes then.
  const calling = counted();
  const abort = new AbortController();
  for await (const facts of client.watchFacts({}, { signal: abort.signal })) {
    expect(facts.hostname).not.toBe('');
    break;
  }
  abort.abort();
  await ping(session);
  const facts = counted() - calling + HEAT_BYTES;
  expect(facts).toBeGreaterThan(100);
  return { each, facts, day: (each * PINGS_A_DAY + facts * FACTS_A_DAY) / MB };
}

describe('an idle link', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    await world.start();
    await until(async () => (await readStatus(world.state))?.state === 'connected');
  });
  afterEach(() => world.end());

  it('costs less than 1 MB a day', async () => {
    const link = await world.hub.linked(1);
    const { each, day } = await costs(link, () => link.socket.bytesRead + link.socket.bytesWritten);
    expect(each).toBe(2 * PING_BYTES);
    expect(day).toBeLessThan(0.5);
  });

  it('costs less than 1 MB a day over TLS', async () => {
    const secure = await SecureWorld.make();
    try {
      const { each, day } = await costs(await secure.hub.linked(1), () => secure.wire.bytes);
      expect(each).toBe(2 * (PING_BYTES + RECORD_BYTES));
      expect(day).toBeLessThan(1);
    } finally {
      await secure.end();
    }
  });

  it('writes nothing to the disk', async () => {
    const { session, client } = await world.hub.linked(1);
    const seen = async () => {
      const names = await readdir(world.state);
      const times = await Promise.all(names.map(async (name) => (await stat(join(world.state, name))).mtimeMs));
      return names.map((name, index) => `${name} ${times[index]}`);
    };
    const before = await seen();
    const touched: string[] = [];
    const watcher = watch(world.state, (event, name) => touched.push(`${event} ${name}`));
    for await (const _facts of client.watchFacts({})) break;
    for (let count = 0; count < PINGS; count++) await ping(session);
    expect(await seen()).toEqual(before);
    watcher.close();
    expect(touched).toEqual([]);
  });
});

/** A sample of a device with three disks and three interfaces in use; sizes and rates as a busy gateway has them. */
function busySample(time: number) {
  const about = (middle: number) => BigInt(Math.round(middle * (0.5 + Math.random())));
  return create(MetricsSampleSchema, {
    time,
    boot: 1_700_000_000,
    temperature: 50 + Math.round(10 * Math.random()),
    throttled: 0,
    cpuPercent: 100 * Math.random(),
    load1: 4 * Math.random(),
    memoryUsed: about(2e9),
    memoryTotal: 8_000_000_000n,
    disks: ['/', '/boot/firmware', '/srv/recordings'].map((mount) => ({
      mount,
      used: about(200e9),
      total: 512_000_000_000n,
    })),
    interfaces: ['eth0', 'wlan0', 'wwan0'].map((name) => ({ name, rxBytes: about(60e6), txBytes: about(6e6) })),
  });
}

describe('the history of usage', () => {
  it('costs less than 0.5 MB a day more over TLS, of the 1 MB that it may, with three disks and three interfaces', async () => {
    const buffer = new SampleBuffer();
    const secure = await SecureWorld.make({
      take: ({ stored, limit }) => {
        buffer.stored(stored);
        return buffer.oldest(limit);
      },
    });
    try {
      const { client, session } = await secure.hub.linked(1);
      await ping(session);
      const before = secure.wire.bytes;
      let [time, stored, samples, payload] = [1_790_000_000, 0, 0, 0];
      for (let count = 0; count < BATCHES; count++) {
        for (let minute = 0; minute < MINUTES_OF_BATCH; minute++) buffer.add(busySample((time += 60)));
        for await (const batch of client.takeMetrics({ stored, limit: 10 })) {
          samples += batch.samples.length;
          for (const sample of batch.samples) payload += toBinary(MetricsSampleSchema, sample).length;
          stored = batch.samples.at(-1)?.time ?? stored;
        }
      }
      // What ends the last call comes before the answer to it.
      await ping(session);
      const each = (secure.wire.bytes - before) / BATCHES;
      expect(samples).toBe(BATCHES * MINUTES_OF_BATCH);
      expect(each).toBeGreaterThan(payload / BATCHES);
      expect((each * BATCHES_A_DAY) / MB).toBeLessThan(0.5);
    } finally {
      await secure.end();
    }
  });
});
