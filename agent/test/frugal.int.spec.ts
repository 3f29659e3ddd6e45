import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import type { ClientHttp2Session } from 'node:http2';
import { join } from 'node:path';
import { readStatus } from '../src/state/status.ts';
import type { HubLink } from './hub.ts';
import { until } from './until.ts';
import { World } from './world.ts';

jest.setTimeout(60_000);

/** What the hub and the agent do with a link that nobody uses (docs/agent-protocol.md): a PING every 9 s, facts at least each minute. */
const PINGS_A_DAY = 86_400 / 9;
const FACTS_A_DAY = 86_400 / 60;
/** Heat and throttling in the facts, which the machine of the test may not have. */
const HEAT_BYTES = 8;
const MB = 1_000_000;
const PINGS = 50;

const ping = (session: ClientHttp2Session) =>
  new Promise<void>((resolve, reject) => session.ping((error) => (error ? reject(error) : resolve())));

/** Bytes on the wire of a link so far, both ways, without what TCP and IP add. */
const bytesOf = ({ socket }: HubLink): number => socket.bytesRead + socket.bytesWritten;

describe('a link that nobody uses', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    await world.start();
    await until(async () => (await readStatus(world.state))?.state === 'connected');
  });
  afterEach(() => world.end());

  it('costs less than 1 MB a day', async () => {
    const link = await world.hub.linked(1);
    await ping(link.session);
    const before = bytesOf(link);
    for (let count = 0; count < PINGS; count++) await ping(link.session);
    const each = (bytesOf(link) - before) / PINGS;
    // A frame of 17 bytes there, and one back (RFC 9113, section 6.7).
    expect(each).toBeGreaterThanOrEqual(34);
    // The whole call with one message is more than the message alone, which is what comes each minute.
    const calling = bytesOf(link);
    const abort = new AbortController();
    for await (const facts of link.client.watchFacts({}, { signal: abort.signal })) {
      expect(facts.hostname).not.toBe('');
      break;
    }
    abort.abort();
    await ping(link.session);
    const facts = bytesOf(link) - calling + HEAT_BYTES;
    expect(facts).toBeGreaterThan(100);
    expect((each * PINGS_A_DAY + facts * FACTS_A_DAY) / MB).toBeLessThan(1);
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
