import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { HookServer } from '@warren/infra/hook-server';
import { Prometheus, PROMETHEUS_VERSIONS } from '@warren/infra/prometheus';
import { until } from '@warren/infra/until';
import { Addresses } from '@warren/platform/outbound/addresses';
import { HookClient } from '@warren/platform/outbound/hook.client';
import type { ServerResponse } from 'node:http';
import { DeviceNames } from '../src/remote-write/device.names.ts';
import { RemoteWriteClient } from '../src/remote-write/remote-write.client.ts';
import { RemoteWrite } from '../src/remote-write/remote-write.ts';
import { remoteWriteFailingSince, remoteWriteQueue, remoteWriteSamples } from '../src/telemetry/metrics.ts';
import { ACCOUNT_NAME, FleetWorld, nameOf, sample, thisMinute } from './fleet.world.ts';

jest.setTimeout(60_000);

const USER = { REMOTE_WRITE_USER: 'tenant-1', REMOTE_WRITE_PASSWORD: 'a-password-of-tests' };

const counted = async (result: string) =>
  (await remoteWriteSamples.get()).values.find(({ labels }) => labels.result === result)?.value ?? 0;
const failingSince = async () => (await remoteWriteFailingSince.get()).values[0]?.value ?? 0;

describe('remote write', () => {
  let world: FleetWorld;
  let hook: HookServer;
  const started: { app: { close(): Promise<void> } }[] = [];
  const prometheuses: Prometheus[] = [];

  beforeAll(async () => {
    [world, hook] = await Promise.all([FleetWorld.start(), new HookServer().start()]);
  });
  afterEach(async () => {
    for (const { app } of started.splice(0)) await app.close();
    hook.posted.length = 0;
    hook.status(200);
  });
  afterAll(async () => {
    await Promise.all([world?.end(), hook?.stop(), ...prometheuses.map((one) => one.stop())]);
  });

  /** A process that sends to a URL. */
  const sending = async (url: string, settings: NodeJS.ProcessEnv = {}) => {
    const app = await world.replica({ REMOTE_WRITE_URL: url, NOTIFY_PRIVATE_ADDRESSES: '127.0.0.0/8', ...settings });
    started.push({ app });
    return app;
  };
  /** A sender to the hook server with a queue of a few bytes. */
  const bounded = (mostBytes: number) => {
    const hooks = new HookClient(new Addresses({ allowed: ['127.0.0.0/8'], hub: 'http://hub.test' }));
    const client = new RemoteWriteClient(hooks, new URL(hook.url), undefined);
    return new RemoteWrite(client, mostBytes, world.app.get(DeviceNames));
  };

  it.each(PROMETHEUS_VERSIONS)('brings the metrics of devices to %s, under their names', async (version) => {
    const prometheus = await Prometheus.start(version, {}, []);
    prometheuses.push(prometheus);
    const app = await sending(`${prometheus.url}/api/v1/write`);
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

    // What comes late or again would have the whole request refused, with what is new in it.
    const [refused, late] = [await counted('refused'), await counted('late')];
    const other = world.device(account);
    await world.report(id, [sample(now - 7_200), sample(now - 60), sample(now)], app);
    await world.report(other, [sample(now, { cpuPercent: 75 })], app);
    await until(async () => (await prometheus.query(`warren_device_cpu_ratio{device_id="${other}"}`)).length === 1);
    expect(await counted('refused')).toBe(refused);
    expect(await counted('late')).toBe(late + 3);
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
        'user-agent': 'Warren',
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
    expect(await failingSince()).toBeGreaterThan(0);
    hook.status(200);
    await world.report(id, [sample(thisMinute())], app);
    await until(async () => (await counted('sent')) === sent + 1);
    expect(hook.posted).toHaveLength(2);
    await until(async () => (await failingSince()) === 0);
  });

  it('never waits for a receiver, and keeps no more than its queue', async () => {
    const held: ServerResponse[] = [];
    hook.answer = (response) => held.push(response);
    const remote = bounded(5_000);
    const full = await counted('full');
    const id = world.device();
    const now = thisMinute();
    remote.add([{ deviceId: id, samples: [sample(now)] }]);
    await until(() => hook.posted.length === 1);
    for (let more = 0; more < 100; more++) remote.add([{ deviceId: id, samples: [sample(now + more)] }]);
    const waiting = (await remoteWriteQueue.get()).values[0]?.value ?? 0;
    expect(waiting).toBeGreaterThan(0);
    expect(waiting).toBeLessThanOrEqual(5_000);
    expect(await counted('full')).toBeGreaterThan(full + 50);
    hook.status(200);
    for (const response of held) response.end();
    await remote.beforeApplicationShutdown();
    expect(await failingSince()).toBe(0);
  });

  it('sends to no address that webhooks may not lead to, and stores the samples all the same', async () => {
    const app = await sending(hook.url, { NOTIFY_PRIVATE_ADDRESSES: '' });
    const id = world.device();
    await world.report(id, [sample(thisMinute())], app);
    await until(async () => (await failingSince()) > 0);
    expect(hook.posted).toEqual([]);
    expect(await world.rows('incoming', id)).toBe(1);
  });

  it('sends what waits before the process stops', async () => {
    const app = await sending(hook.url);
    await world.report(world.device(), [sample(thisMinute())], app);
    await app.close();
    started.length = 0;
    expect(hook.posted).toHaveLength(1);
  });
});
