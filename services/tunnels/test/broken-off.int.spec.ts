import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import type { ServerHttp2Stream } from 'node:http2';
import { Links } from '../src/links/links.ts';
import { World } from './world.ts';

const PIECE = 1 << 20;
const CHUNK = 64 * 1024;
/** As many connections as a browser and a loading tool open, each with a window in flight. */
const DOWNLOADS = 32;
/** Several looks at what the link brought (overhead.ts). */
const DOWNLOAD_MS = 2_500;
/** More than Node keeps for a session by itself, and than was once allowed here. */
const TIMES = 48;

describe('connections to a device that are broken off', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start({ redis: process.env['TEST_REDIS_URL'] ?? '', nats: process.env['TEST_NATS_URL'] ?? '' });
  });
  afterAll(async () => world?.stop());

  it('leave room for the next, whatever they had still to send', async () => {
    const device = world.neighbours.device();
    const streams: ServerHttp2Stream[] = [];
    const onConnect = (_authority: string, stream: ServerHttp2Stream) => {
      streams.push(stream.on('error', () => {}));
      stream.pause();
      stream.respond({ ':status': 200 });
    };
    await world.agent(device, { onConnect });
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    const link = world.app.get(Links).get(device.id)!;
    for (let count = 0; count < TIMES; count++) {
      const stream = await link.connect({ host: 'localhost', port: 80 });
      // Twice what its window takes.
      stream.write(Buffer.alloc(PIECE));
      stream.write(Buffer.alloc(PIECE));
      stream.destroy();
    }
    const last = await link.connect({ host: 'localhost', port: 80 });
    last.write('still there');
    const got = new Promise((resolve) => streams.at(-1)!.resume().once('data', resolve));
    expect(String(await got)).toBe('still there');
    expect(world.app.get(Links).get(device.id)).toBe(link);
  });

  it('are no breach when they were in the middle of a download', async () => {
    const device = world.neighbours.device();
    const onConnect = (_authority: string, stream: ServerHttp2Stream) => {
      stream.on('error', () => {}).respond({ ':status': 200 });
      const send = () => {
        while (!stream.destroyed && stream.write(Buffer.alloc(CHUNK)));
      };
      stream.on('drain', send);
      send();
    };
    await world.agent(device, { onConnect });
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    const links = world.app.get(Links);
    const link = links.get(device.id)!;
    const began = performance.now();
    while (performance.now() - began < DOWNLOAD_MS) {
      const connect = async () => (await link.connect({ host: 'localhost', port: 80 })).resume();
      const streams = await Promise.all(Array.from({ length: DOWNLOADS }, connect));
      let bytes = 0;
      for (const stream of streams) stream.on('data', (chunk: Buffer) => (bytes += chunk.length));
      await until(() => bytes > 16 * PIECE || links.get(device.id) !== link);
      expect(links.get(device.id)).toBe(link);
      for (const stream of streams) stream.destroy();
    }
  });
});
