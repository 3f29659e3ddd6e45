import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { forgetFrame, hangUpFrame, pinFrame, seenFrame } from '../src/system/keeper.frames.ts';
import { KeeperClient } from './keeper-client.ts';
import { Keepers } from './keepers.ts';
import { until } from '@warren/infra/until';

const REPLAY = 2 * 1024 * 1024;
/** Ends at a line of input, while what it has started writes on. */
const LEAVES_A_WRITER = "trap '' HUP; yes & read line; exit 3";

describe('the end of a keeper', () => {
  const keepers = new Keepers();

  beforeAll(() => keepers.compile());
  beforeEach(() => keepers.start());
  afterEach(() => keepers.stop());

  it.each([
    ['exit 7', { code: 7, signal: 0 }],
    ['kill -KILL $$', { code: 0, signal: 9 }],
  ])('keeps how the program ended, and its last output: %j', async (end, exit) => {
    const first = await keepers.open(`seq 20000; ${end}`);
    first.socket.destroy();
    const second = await KeeperClient.attach(keepers.path);
    await second.until(() => second.exit !== undefined);
    second.socket.destroy();
    const third = await KeeperClient.attach(keepers.path);
    await third.until(() => third.exit !== undefined);
    expect(third.exit).toEqual(exit);
    expect(Buffer.concat([second.bytes, third.bytes]).includes('\r\n20000\r\n')).toBe(true);
    third.socket.write(forgetFrame());
    await until(() => keepers.isGone(0));
    expect(existsSync(keepers.path)).toBe(false);
  });

  it('ends what does not want to end when it is closed', async () => {
    const client = await keepers.open("trap '' HUP; echo trapped; sleep 600; sleep 600");
    await client.shows('trapped');
    client.socket.write(Buffer.concat([hangUpFrame(), forgetFrame()]));
    await client.until(() => client.exit !== undefined);
    expect(client.exit).toEqual({ code: 0, signal: 9 });
    await until(() => keepers.isGone(0) && !existsSync(keepers.path));
  });

  it.each([true, false])(
    'ends when it is forgotten, though a background program writes on: read %j',
    async (isRead) => {
      const client = await keepers.open(LEAVES_A_WRITER);
      client.isAcking = isRead;
      await client.until(() => client.end > REPLAY - 100_000);
      client.type('\r');
      client.socket.write(forgetFrame());
      await client.until(() => client.exit !== undefined);
      expect(client.exit).toEqual({ code: 3, signal: 0 });
      await until(() => keepers.isGone(0) && !existsSync(keepers.path));
    },
  );

  it('says how the program ended to an agent that talks all the time', async () => {
    for (const id of Array.from({ length: 8 }, () => randomUUID())) {
      const client = await keepers.open(LEAVES_A_WRITER, { id: id });
      await client.until(() => client.end > REPLAY - 100_000);
      client.type('\r');
      const talking = setInterval(() => {
        for (let frames = 0; frames < 50 && !client.closed; frames++) client.socket.write(seenFrame(client.end));
      }, 1);
      client.socket.write(forgetFrame());
      await client.until(() => client.exit !== undefined).finally(() => clearInterval(talking));
      client.socket.destroy();
      await until(() => keepers.areGone);
    }
  });

  it('ends with its program when no agent comes back', async () => {
    const client = await keepers.open('sleep 600', { orphan: 1 });
    client.socket.destroy();
    await until(() => keepers.isGone(0));
    expect(existsSync(keepers.path)).toBe(false);
  });

  it('keeps a pinned program beyond that time, and tells the next agent how long', async () => {
    const first = await keepers.open('sleep 600', { orphan: 1 });
    expect(first.state!.pin).toEqual({ seconds: 0, left: undefined });
    first.socket.write(pinFrame({ seconds: 600, left: undefined }));
    const other = await keepers.open('sleep 600', { id: randomUUID(), orphan: 1 });
    first.socket.destroy();
    other.socket.destroy();
    // It waits for an agent as long as the pinned one does.
    await until(() => keepers.isGone(1));
    const second = await KeeperClient.attach(keepers.path);
    expect(second.state!.pin!.seconds).toBe(600);
    expect(second.state!.pin!.left).toBeGreaterThan(500);
    second.socket.write(pinFrame({ seconds: 600, left: 1 }));
    second.socket.destroy();
    await until(() => keepers.isGone(0));
  });

  it('ends a pinned program that was unpinned, and one that has exited, as any other', async () => {
    const first = await keepers.open('sleep 600', { orphan: 1 });
    first.socket.write(Buffer.concat([600, 0].map((seconds) => pinFrame({ seconds, left: undefined }))));
    first.socket.destroy();
    await until(() => keepers.isGone(0));
    const second = await keepers.open('read line; exit 3', { id: randomUUID(), orphan: 1 });
    second.socket.write(pinFrame({ seconds: 600, left: undefined }));
    second.type('\r');
    second.socket.end();
    await until(() => keepers.isGone(1));
  });
});
