import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { HookServer } from '@warren/infra/hook-server';
import { Prometheus, PROMETHEUS_VERSIONS } from '@warren/infra/prometheus';
import { until } from '@warren/infra/until';
import { Fault } from '@warren/platform/errors/fault';
import { Addresses, EVERY_NETWORK } from '@warren/platform/outbound/addresses';
import { HookClient } from '@warren/platform/outbound/hook.client';
import type { Sample } from '@warren/proto/fleet/v1/metrics';
import type { ServerResponse } from 'node:http';
import { DeviceDirectory } from '../src/devices/device.directory.ts';
import { DeviceNames } from '../src/remote-write/device.names.ts';
import { RemoteWriteClient } from '../src/remote-write/remote-write.client.ts';
import { RemoteWrite } from '../src/remote-write/remote-write.ts';
import { remoteWriteFailingSince, remoteWriteQueue, remoteWriteSamples } from '../src/telemetry/metrics.ts';
import { ACCOUNT_NAME, FleetWorld, nameOf, sample, thisMinute } from './fleet.world.ts';

const USER = { REMOTE_WRITE_USER: 'tenant-1', REMOTE_WRITE_PASSWORD: 'a-password-of-tests' };

const counted = async (result: string) =>
  (await remoteWriteSamples.get()).values.find(({ labels }) => labels.result === result)?.value ?? 0;
const failingSince = async () => (await remoteWriteFailingSince.get()).values[0]?.value ?? 0;

describe('remote write', () => {
  let world: FleetWorld;
  let hook: HookServer;
  const started: { app: { close(): Promise<void> } }[] = [];

  beforeAll(async () => {
    [world, hook] = await Promise.all([FleetWorld.start(), new HookServer().start()]);
  });
  afterEach(async () => {
    for (const { app } of started.splice(0)) await app.close();
    hook.posted.length = 0;
    hook.status(200);
    expect(await failingSince()).toBe(0);
  });
  afterAll(async () => {
    await Promise.all([world?.end(), hook?.stop()]);
  });

  /** A process that sends to a URL. */
  const sending = async (url: string, settings: NodeJS.ProcessEnv = {}) => {
    const app = await world.replica({ REMOTE_WRITE_URL: url, NOTIFY_PRIVATE_ADDRESSES: '', ...settings });
    started.push({ app });
    return app;
  };
  /** A sender without a process. */
  const sender = ({ url = hook.url, mostBytes = 1_000_000, names = world.app.get<DeviceNames>(DeviceNames) } = {}) => {
    const hooks = new HookClient(new Addresses({ allowed: EVERY_NETWORK, hub: 'http://hub.test' }));
    const client = new RemoteWriteClient(hooks, new URL(url), undefined);
    const remote = new RemoteWrite(client, mostBytes, names);
    started.push({ app: { close: () => remote.beforeApplicationShutdown() } });
    return (...batches: { deviceId: string; samples: Sample[] }[]) => remote.add(batches, new Map());
  };
  const prometheuses = new Map<string, Prometheus>();
  beforeAll(async () => {
    for (const version of PROMETHEUS_VERSIONS) prometheuses.set(version, await Prometheus.start(version, {}, []));
  });
  afterAll(() => Promise.all([...prometheuses.values()].map((one) => one.stop())));
  const receiver = (version: string) => {
    const prometheus = prometheuses.get(version) as Prometheus;
    const cpuOf = async (id: string) =>
      (await prometheus.query(`warren_device_cpu_ratio{device_id="${id}"}`)).map(({ value }) => Number(value[1]));
    return { prometheus, url: `${prometheus.url}/api/v1/write`, cpuOf };
  };

  it.each(PROMETHEUS_VERSIONS)('brings the metrics of devices to %s, under their names', async (version) => {
    const { prometheus, url } = receiver(version);
    const app = await sending(url);
    const account = '01990000-0000-7000-8001-000000000001';
    const id = world.device(account);
    const now = thisMinute();
    await world.report(id, [sample(now - 60), sample(now)], app);
    const series = async () =>
      (await prometheus.query(`{device_id="${id}"}`)).map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
    await until(async () => (await series()).length > 0);
    const found = await series();
    const value = (name: string) => found.find(({ metric }) => metric['__name__'] === `warren_device_${name}`);
    expect(value('cpu_ratio')).toEqual({
      metric: {
        __name__: 'warren_device_cpu_ratio',
        account: ACCOUNT_NAME,
        account_id: account,
        device: nameOf(id),
        device_id: id,
        hub: 'hub.test',
      },
      value: 0.25,
    });
    expect(value('load1')?.value).toBe(0.5);
    expect(value('memory_used_bytes')?.value).toBe(2 ** 30);
    expect(value('memory_size_bytes')?.value).toBe(2 ** 32);
    expect(value('temperature_celsius')?.value).toBe(48);
    expect(value('round_trip_seconds')?.value).toBe(0.0125);
    expect(value('throttled')?.value).toBe(0);
    expect(value('disk_used_bytes')).toMatchObject({ metric: { mount: '/' }, value: 2 ** 33 });
    expect(value('disk_size_bytes')).toMatchObject({ metric: { mount: '/' }, value: 2 ** 35 });
    expect(value('network_receive_bytes_per_second')).toMatchObject({ metric: { interface: 'eth0' }, value: 1_000 });
    expect(value('network_transmit_bytes_per_second')).toMatchObject({ metric: { interface: 'eth0' }, value: 100 });
    expect(found).toHaveLength(11);
  });

  it.each(PROMETHEUS_VERSIONS)('sends no sample to %s twice, also from another process', async (version) => {
    const { prometheus, url, cpuOf } = receiver(version);
    const [one, other] = [await sending(url), await sending(url)];
    const [id, neighbour] = [world.device(), world.device()];
    const now = thisMinute();
    const before = await counted('sent');
    await world.report(id, [sample(now - 60), sample(now, { roundTripMs: 10 })], one);
    await until(async () => (await counted('sent')) === before + 2);
    // A new link reports the last samples again, with a round trip of now. Prometheus refuses the request for it, with what is new in it.
    const [refused, skipped, sent] = [await counted('refused'), await counted('skipped'), await counted('sent')];
    await world.report(id, [sample(now - 7_200), sample(now - 60), sample(now, { roundTripMs: 99 })], other);
    await world.report(neighbour, [sample(now)], other);
    await until(async () => (await cpuOf(neighbour)).length === 1);
    await until(async () => (await counted('sent')) === sent + 1);
    expect(await counted('refused')).toBe(refused);
    expect(await counted('skipped')).toBe(skipped + 3);
    const roundTrip = await prometheus.query(`warren_device_round_trip_seconds{device_id="${id}"}`);
    expect(roundTrip.map(({ value }) => value[1])).toEqual(['0.01']);
  });

  it.each(PROMETHEUS_VERSIONS)('loses only the samples of the device that %s refuses', async (version) => {
    const { url, cpuOf } = receiver(version);
    const add = sender({ url });
    const ids = Array.from({ length: 9 }, () => world.device());
    const [bad = ''] = ids;
    const now = thisMinute();
    const [refused, sent] = [await counted('refused'), await counted('sent')];
    add({ deviceId: bad, samples: [sample(now)] });
    await until(async () => (await counted('sent')) === sent + 1);
    add(...ids.map((deviceId) => ({ deviceId, samples: [sample(now, { cpuPercent: 75 })] })));
    await until(async () => (await counted('sent')) === sent + 9);
    expect(await counted('refused')).toBe(refused + 1);
    expect(await Promise.all(ids.map(cpuOf))).toEqual([[0.25], ...Array.from({ length: 8 }, () => [0.75])]);
  });

  it('sends as remote write 1.0 says, with credentials', async () => {
    const app = await sending(`${hook.url}/push`, USER);
    const sent = await counted('sent');
    await world.report(world.device(), [sample(thisMinute())], app);
    await until(async () => (await counted('sent')) === sent + 1);
    expect(hook.posted).toHaveLength(1);
    expect(hook.posted[0]).toMatchObject({
      path: '/push',
      headers: {
        'content-type': 'application/x-protobuf',
        'content-encoding': 'snappy',
        'x-prometheus-remote-write-version': '0.1.0',
        authorization: `Basic ${Buffer.from('tenant-1:a-password-of-tests').toString('base64')}`,
        'user-agent': expect.stringMatching(/^Warren\/\d+\.\d+\.\d+/),
      },
    });
  });

  it('tries again after 5xx and 429, as late as the receiver asks', async () => {
    const app = await sending(hook.url);
    const times: number[] = [];
    const bodies = new Set<string>();
    hook.answer = (response, { body }) => {
      times.push(Date.now());
      bodies.add(body);
      const status = [503, 429][times.length - 1] ?? 204;
      response.writeHead(status, status === 429 ? { 'retry-after': '3' } : {}).end();
    };
    const sent = await counted('sent');
    await world.report(world.device(), [sample(thisMinute())], app);
    await until(async () => (await failingSince()) > 0);
    await until(async () => (await counted('sent')) === sent + 1);
    expect(times).toHaveLength(3);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(3_000);
    expect(bodies.size).toBe(1);
    expect(await failingSince()).toBe(0);
  });

  it('drops what the receiver refuses, counts it, and continues', async () => {
    const app = await sending(hook.url);
    hook.status(400);
    const [refused, sent] = [await counted('refused'), await counted('sent')];
    const id = world.device();
    await world.report(id, [sample(thisMinute() - 60)], app);
    await until(async () => (await counted('refused')) === refused + 1);
    hook.status(200);
    await world.report(id, [sample(thisMinute())], app);
    await until(async () => (await counted('sent')) === sent + 1);
    expect(hook.posted).toHaveLength(2);
  });

  it('never waits for a receiver, and keeps no more than its queue', async () => {
    const held: ServerResponse[] = [];
    hook.answer = (response) => held.push(response);
    const add = sender({ mostBytes: 5_000 });
    const full = await counted('full');
    const id = world.device();
    const now = thisMinute();
    add({ deviceId: id, samples: [sample(now)] });
    await until(() => hook.posted.length === 1);
    for (let more = 0; more < 100; more++) add({ deviceId: id, samples: [sample(now + more)] });
    const waiting = (await remoteWriteQueue.get()).values[0]?.value ?? 0;
    expect(waiting).toBeGreaterThan(0);
    expect(waiting).toBeLessThanOrEqual(5_000);
    expect(await counted('full')).toBeGreaterThan(full + 50);
    hook.status(200);
    for (const response of held) response.end();
  });

  it('sends the credentials that are refused once, not in halves', async () => {
    hook.status(401);
    const refused = await counted('refused');
    const [one, other] = [world.device(), world.device()];
    sender()(...[one, other].map((deviceId) => ({ deviceId, samples: [sample(thisMinute())] })));
    await until(async () => (await counted('refused')) === refused + 2);
    expect(hook.posted).toHaveLength(1);
  });

  it('leaves out samples that grow too old while the receiver is away', async () => {
    hook.answer = (response) => response.writeHead(hook.posted.length < 3 ? 503 : 204).end();
    const [late, sent] = [await counted('late'), await counted('sent')];
    const now = Math.floor(Date.now() / 1_000);
    sender()({ deviceId: world.device(), samples: [sample(now - 1_797), sample(now)] });
    await until(async () => (await counted('sent')) === sent + 1);
    expect(await counted('late')).toBe(late + 1);
  });

  it('waits for the names of devices, and leaves out those that were deleted', async () => {
    const [known, deleted] = [world.device(), '01990000-0000-7000-8001-00000000000f'];
    const directory = world.app.get(DeviceDirectory);
    let away = true;
    const describe: DeviceDirectory['describe'] = async (ids) => {
      if (away) throw new Fault('unavailable', 'devices.');
      return directory.describe(ids);
    };
    const [sent, skipped] = [await counted('sent'), await counted('skipped')];
    const names = new DeviceNames({ describe }, 'hub.test');
    sender({ names })(...[known, deleted].map((deviceId) => ({ deviceId, samples: [sample(thisMinute())] })));
    await until(async () => (await failingSince()) > 0);
    expect(hook.posted).toEqual([]);
    away = false;
    await until(async () => (await counted('sent')) === sent + 1);
    expect(await counted('skipped')).toBe(skipped + 1);
  });

  it('stores the samples of devices while the receiver is away, and counts those that a stop loses', async () => {
    const app = await sending('http://127.0.0.1:9/');
    const [id, lost] = [world.device(), await counted('lost')];
    await world.report(id, [sample(thisMinute())], app);
    await until(async () => (await failingSince()) > 0);
    expect(await world.rows('incoming', id)).toBe(1);
    await app.close();
    started.length = 0;
    expect(await counted('lost')).toBe(lost + 1);
  });

  it('sends what waits before the process stops', async () => {
    const app = await sending(hook.url);
    await world.report(world.device(), [sample(thisMinute())], app);
    await app.close();
    started.length = 0;
    expect(hook.posted).toHaveLength(1);
  });
});
