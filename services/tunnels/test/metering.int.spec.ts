import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { until } from '@warren/infra/until';
import { EventBus } from '@warren/platform/events/event.bus';
import { UsageKind, type AccountUsage, type UsageCounted } from '@warren/proto/events/v1/events';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import type { ServerHttp2Stream } from 'node:http2';
import { createServer } from 'node:http';
import { Drain } from '../src/drain/drain.ts';
import { Lease } from '../src/broker/lease.ts';
import { Links } from '../src/links/links.ts';
import { UsageReporter } from '../src/metering/usage.reporter.ts';
import { WebWorld } from './web/web.world.ts';
import { World } from './world.ts';

const HOUR_MS = 3_600_000;
const NINE = Date.UTC(2026, 10, 1, 9);
const { TERMINAL, DESKTOP, WEB, DEVICE } = UsageKind;

describe('what accounts use', () => {
  let world: World;
  let wall = NINE;
  let steady = 1_000;
  const pass = (ms: number) => {
    wall += ms;
    steady += ms;
  };

  const clock = { wall: () => wall, steady: () => steady };

  beforeAll(async () => {
    const { TEST_REDIS_URL: redis = '', TEST_NATS_URL: nats = '' } = process.env;
    world = await World.start({ redis, nats, clock });
  });
  afterAll(async () => world?.stop());
  beforeEach(async () => {
    // Report what ended with the test before.
    await reporter().report(true);
    wall = Math.ceil(wall / HOUR_MS) * HOUR_MS;
  });

  const reporter = () => world.app.get(UsageReporter);
  /** The reports of this replica on an account, by kind and hour. */
  const told = (accountId: string, kind: UsageKind): (Omit<AccountUsage, '$typeName'> & { hour: number })[] =>
    world.events
      .flatMap(({ kind: of }) => (of.case === 'usageCounted' ? [of.value] : []))
      .flatMap(({ hour, usage }: UsageCounted) =>
        usage
          .filter((one) => one.accountId === accountId && one.kind === kind)
          .map(({ $typeName: _, ...one }) => ({ ...one, hour: hour ? timestampMs(hour) : 0 })),
      );
  const connected = async (onConnect?: (authority: string, stream: ServerHttp2Stream) => void) => {
    const device = world.neighbours.device();
    const agent = await world.agent(device, onConnect ? { onConnect } : {});
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    return { device, agent };
  };
  const terminal = async () => {
    const { device, agent } = await connected();
    const browser = world.browser(device.id);
    browser.socket.emit('register', { cols: 80, rows: 24 });
    await until(() => browser.heard('register_status') !== undefined);
    return { device, browser, remote: agent.last() };
  };

  it('is the bytes and the time of a terminal, reported while it runs', async () => {
    const { device, browser, remote } = await terminal();
    pass(2_500);
    browser.socket.emit('input', { input: 'öl\r' });
    await until(() => remote.typed() === 'öl\r');
    await remote.print('x'.repeat(1_000));
    await until(() => browser.text().length === 1_000);
    await reporter().report(false);
    const hour = wall - (wall % HOUR_MS);
    const usage = { accountId: device.accountId, kind: TERMINAL, hour };
    const first = { ...usage, openMs: 2_500n, opened: 1n, bytesToDevice: 4n, bytesFromDevice: 1_000n };
    await until(() => told(device.accountId, TERMINAL).length === 1);
    expect(told(device.accountId, TERMINAL)).toEqual([first]);
    pass(500);
    remote.exit(0);
    await until(() => browser.heard('exit') !== undefined);
    pass(10_000);
    await reporter().report(false);
    await until(() => told(device.accountId, TERMINAL).length === 2);
    const rest = { ...usage, openMs: 500n, opened: 0n, bytesToDevice: 0n, bytesFromDevice: 0n };
    expect(told(device.accountId, TERMINAL)[1]).toEqual(rest);
    expect(told(device.accountId, DEVICE)).toEqual([]);
  });

  it('is what a desktop’s server and its viewer send each other', async () => {
    let server: ServerHttp2Stream | undefined;
    const got: Buffer[] = [];
    const { device } = await connected((_authority, stream) => {
      stream.on('error', () => {});
      stream.on('data', (data: Buffer) => got.push(data));
      stream.respond({ ':status': 200 });
      server = stream;
    });
    const browser = world.browser(device.id, { namespace: 'desktop', purpose: SocketPurpose.DESKTOP });
    let streamed = 0;
    browser.socket.on('vnc_stream', ({ data }: { data: Buffer }) => (streamed += data.length));
    browser.socket.emit('start_vnc', { encoding: 'binary' });
    await until(() => browser.heard('vnc_status') !== undefined);
    server?.write(Buffer.alloc(200_000));
    browser.socket.emit('vnc_input', { data: Buffer.from('pointer') });
    await until(() => streamed === 200_000 && Buffer.concat(got).length === 7);
    pass(4_000);
    server?.end();
    await until(() => browser.heard('client_disconnect') !== undefined);
    await reporter().report(false);
    await until(() => told(device.accountId, DESKTOP).length > 0);
    expect(told(device.accountId, DESKTOP)).toMatchObject([
      { openMs: 4_000n, opened: 1n, bytesToDevice: 7n, bytesFromDevice: 200_000n },
    ]);
  });

  it('is HTTP as the device sees it, heads included, and the time of each request', async () => {
    let received = 0;
    let sent = 0;
    const server = createServer((_request, response) => {
      pass(300);
      response.end('hello');
    });
    server.on('connection', (socket) =>
      socket.once('close', () => {
        received += socket.bytesRead;
        sent += socket.bytesWritten;
      }),
    );
    const web = await WebWorld.start(clock);
    const device = await (await web.device(server)).enter();
    const answer = await device.send('POST', '/', 'body!', 'Content-Length: 5');
    expect(answer.body).toBe('hello');
    await until(() => sent > 0);
    await web.world.app.get(UsageReporter).report(false);
    await until(() => told(device.page.accountId, WEB).length > 0);
    expect(told(device.page.accountId, WEB)).toMatchObject([
      { openMs: 300n, opened: 1n, bytesToDevice: BigInt(received), bytesFromDevice: BigInt(sent) },
    ]);
    await web.stop();
    server.close();
  });

  it('is the time of connected devices, for the account that they are in', async () => {
    const { device, agent } = await connected();
    const before = device.accountId;
    pass(60_000);
    const after = (device.accountId = '01997b5c-0000-7000-8000-0000000000bb');
    await world.publish({
      case: 'deviceChanged',
      value: { deviceId: device.id, previousAccountId: before },
    } as never);
    await until(() => world.app.get(Links).get(device.id)?.accountId === after);
    pass(30_000);
    agent.close();
    await until(() => world.app.get(Links).get(device.id) === undefined);
    pass(60_000);
    await reporter().report(true);
    await until(() => told(before, DEVICE).length > 0 && told(after, DEVICE).length > 0);
    expect(told(before, DEVICE)).toMatchObject([{ openMs: 60_000n, opened: 1n, bytesToDevice: 0n }]);
    expect(told(after, DEVICE)).toMatchObject([{ openMs: 30_000n, opened: 1n, bytesFromDevice: 0n }]);
  });

  it('counts for the hour in which it was', async () => {
    const { device, browser, remote } = await terminal();
    pass(HOUR_MS - 1_000);
    await remote.print('before');
    await until(() => browser.text() === 'before');
    const hour = wall - (wall % HOUR_MS);
    pass(1_250);
    await reporter().report(false);
    await remote.print('after!!');
    await until(() => browser.text() === 'beforeafter!!');
    await reporter().report(false);
    await until(() => told(device.accountId, TERMINAL).length === 3);
    expect(told(device.accountId, TERMINAL)).toMatchObject([
      { hour, openMs: BigInt(HOUR_MS), bytesFromDevice: 6n },
      { hour: hour + HOUR_MS, openMs: 250n, bytesFromDevice: 0n },
      { hour: hour + HOUR_MS, openMs: 0n, bytesFromDevice: 7n },
    ]);
  });

  it('goes out under the same id until the bus has it, and nothing is lost meanwhile', async () => {
    const { device, remote, browser } = await terminal();
    await reporter().report(true);
    const bus = world.app.get(EventBus);
    const ids: string[] = [];
    const publish = bus.publish.bind(bus);
    const failing = jest.spyOn(bus, 'publish').mockImplementation(async (event) => {
      if (event.kind.case !== 'usageCounted') return publish(event);
      ids.push(event.id);
      // The bus takes it, and its answer is lost.
      await publish(event);
      throw new Error('no answer');
    });
    pass(1_000);
    await reporter().report(false);
    await remote.print('more');
    await until(() => browser.text() === 'more');
    await reporter().report(false);
    failing.mockRestore();
    expect(new Set(ids).size).toBe(1);
    await reporter().flush(5_000);
    const sum = (of: 'openMs' | 'bytesFromDevice') => {
      const seen = new Map(world.events.map((event) => [event.id, event]));
      return [...seen.values()]
        .flatMap(({ kind }) => (kind.case === 'usageCounted' ? kind.value.usage : []))
        .filter(({ accountId, kind }) => accountId === device.accountId && kind === TERMINAL)
        .reduce((total, one) => total + one[of], 0n);
    };
    await until(() => sum('bytesFromDevice') === 4n);
    expect(sum('openMs')).toBe(1_000n);
  });

  it('is reported to the end before the replica is gone', async () => {
    const { device, browser, remote } = await terminal();
    await remote.print('bye');
    await until(() => browser.text() === 'bye');
    pass(700);
    await world.app.get(Drain).beforeApplicationShutdown();
    await until(() => [TERMINAL, DEVICE].every((kind) => told(device.accountId, kind).length > 0));
    expect(told(device.accountId, TERMINAL)).toMatchObject([{ openMs: 700n, opened: 1n, bytesFromDevice: 3n }]);
    expect(told(device.accountId, DEVICE)).toMatchObject([{ openMs: 700n, opened: 1n }]);
    expect(world.app.get(Lease).serving).toBe(false);
  });
});
