import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { startNats } from '@warren/infra/nats';
import type { Server } from '@warren/infra/server';
import type { DescMethod } from '@bufbuild/protobuf';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EventBus, EventRefused } from '../src/events/event.bus.ts';
import { EventConsumer } from '../src/events/event.consumer.ts';
import { EventFollower } from '../src/events/event.follower.ts';
import { EVENT_STREAM, newEvent, subjectOfKind, type EventKind } from '../src/events/event.ts';
import { BUS_USERS, natsAccounts, passwordVariable } from '../src/rights/nats.accounts.ts';
import { CALLS, SERVICE_NAMES, inboxOf, type ServiceName } from '../src/nats/calls.ts';
import { EVENT_PRODUCERS, TRAFFIC } from '../src/rights/nats.rights.ts';
import { createRpcClient } from '../src/rpc/client.ts';
import { NatsTransport } from '../src/rpc/nats.transport.ts';
import { RpcServer } from '../src/rpc/rpc.server.ts';
import { serviceCaller } from '../src/rpc/caller.ts';
import { startProcess } from './process.ts';
import type { INestApplicationContext } from '@nestjs/common';
import { until } from '@warren/infra/until';

const FILE = resolve(import.meta.dirname, '../../../helm/warren/files/nats-accounts.conf');
/** They begin with a digit, as a random one may. */
const password = (user: string) => `1e-${user}`;

let server: Server;

beforeAll(async () => {
  const variables = Object.fromEntries(BUS_USERS.map((user) => [passwordVariable(user), password(user)]));
  server = await startNats({}, { file: FILE, variables });
});

afterAll(() => server?.stop());

it('is in the file that the chart and the local start use', async () => {
  await expect(readFile(FILE, 'utf8')).resolves.toBe(natsAccounts());
});

describe('a process of each service', () => {
  const apps = new Map<ServiceName, INestApplicationContext>();
  const seen: string[] = [];

  beforeAll(async () => {
    for (const name of SERVICE_NAMES) {
      const app = await startProcess(name, server.url, (made) => prepare(name, made), {
        environment: { NATS_USER: name, NATS_PASSWORD: password(name) },
      });
      apps.set(name, app);
    }
  });
  afterAll(() => Promise.all([...apps.values()].map((app) => app.close())));

  function prepare(name: ServiceName, app: INestApplicationContext): void {
    for (const service of TRAFFIC[name].serves) {
      const handlers = Object.fromEntries(service.methods.map((method) => [method.localName, async () => ({})]));
      app.get(RpcServer).serve(service, handlers as never);
      if (name === 'tunnels') app.get(RpcServer).serve(service, handlers as never, 'here');
    }
    for (const how of TRAFFIC[name].reads) {
      const note = (kind: string | undefined) => seen.push(`${name} ${kind}`);
      if (how === 'following') app.get(EventFollower).follow((event) => note(event.kind.case));
      if (how === 'passing') app.get(EventBus).listen((event) => note(event.kind.case));
      if (how !== 'durably') continue;
      for (const kind of Object.keys(EVENT_PRODUCERS) as EventKind[])
        app.get(EventConsumer).on(kind, async (event) => void note(event.kind.case));
    }
  }

  const call = (from: ServiceName, method: DescMethod, instance?: string) => {
    const transport = apps.get(from)?.get(NatsTransport) as NatsTransport;
    const client = createRpcClient(method.parent, transport) as Record<
      string,
      (...args: unknown[]) => Promise<unknown>
    >;
    // So long that no refusal is that of the deadline.
    return client[method.localName]?.(serviceCaller(from), {}, { timeoutMs: 30_000, ...(instance && { instance }) });
  };

  it('calls what it has to call, and gets its answers', async () => {
    for (const name of SERVICE_NAMES)
      for (const method of CALLS[name]) await expect(call(name, method)).resolves.toBeDefined();
    await expect(call('gateway', TunnelsService.method.pingDevice, 'here')).resolves.toBeDefined();
  });

  it('is refused every other call', async () => {
    const methods = SERVICE_NAMES.flatMap((name) => TRAFFIC[name].serves).flatMap((service) => service.methods);
    const refused = SERVICE_NAMES.flatMap((name) =>
      methods.filter((method) => !CALLS[name].includes(method)).map((method) => ({ name, method })),
    );
    expect(refused).toContainEqual({ name: 'tunnels', method: IdentityService.method.signIn });
    await Promise.all(
      refused.map(({ name, method }) => expect(call(name, method)).rejects.toMatchObject({ code: 'unavailable' })),
    );
    await expect(call('gateway', TunnelsService.method.getLease, 'here')).rejects.toThrow();
  });

  it('publishes its events, and every reader receives them', async () => {
    for (const [kind, producers] of Object.entries(EVENT_PRODUCERS) as [EventKind, readonly ServiceName[]][]) {
      for (const producer of producers)
        await apps
          .get(producer)
          ?.get(EventBus)
          .publish(newEvent({ kind: { case: kind, value: {} } as never }));
      const readers = SERVICE_NAMES.filter((name) => TRAFFIC[name].reads.length > 0);
      await until(() => readers.every((name) => seen.includes(`${name} ${kind}`)));
    }
  });

  it('may not publish other events', async () => {
    for (const [kind, producers] of Object.entries(EVENT_PRODUCERS) as [EventKind, readonly ServiceName[]][]) {
      const other = (['devices', 'tunnels'] as const).find((name) => !producers.includes(name));
      if (!other) continue;
      const event = newEvent({ kind: { case: kind, value: {} } as never });
      await expect(apps.get(other)?.get(EventBus).publish(event)).rejects.toBeInstanceOf(EventRefused);
    }
  });
});

describe('a service that was taken over', () => {
  const open = new Set<NatsConnection>();
  const as = async (service: (typeof BUS_USERS)[number]) => {
    const pass = password(service);
    const options = {
      servers: server.url,
      user: service,
      pass,
      inboxPrefix: inboxOf(service),
      ignoreClusterUpdates: true,
    };
    const connection = await connect(options);
    open.add(connection);
    return connection;
  };
  afterAll(() => Promise.all([...open].map((connection) => connection.close())));

  const listens = async (service: Parameters<typeof as>[0], subject: string): Promise<boolean> => {
    const connection = await as(service);
    return new Promise((resolved) => {
      connection.subscribe(subject, { callback: (error) => void (error && resolved(false)) });
      // The refusal comes before the answer to a PING that was sent after the subscription.
      void connection.flush().then(() => setImmediate(() => resolved(true)));
    });
  };

  it('hears its own answers and calls', async () => {
    await expect(listens('gateway', 'warren.events.>')).resolves.toBe(true);
    await expect(listens('identity', `${IdentityService.typeName}.>`)).resolves.toBe(true);
  });

  it.each([
    ['gateway', '>'],
    ['gateway', `${inboxOf('identity')}.>`],
    ['gateway', `${IdentityService.typeName}.>`],
    ['tunnels', `${DevicesService.typeName}.GetCredential`],
    ['tenancy', subjectOfKind('deviceChanged')],
    ['devices', '$SYS.>'],
    ['identity', '_INBOX.>'],
    ['doctor', 'warren.>'],
  ] as const)('%s does not hear %s', async (service, subject) => {
    await expect(listens(service, subject)).resolves.toBe(false);
  });

  it('cannot delete or empty the stream, nor the place of another in it', async () => {
    const manager = await jetstreamManager(await as('tunnels'), { timeout: 1_000 });
    await expect(manager.streams.delete(EVENT_STREAM)).rejects.toThrow();
    await expect(manager.streams.purge(EVENT_STREAM)).rejects.toThrow();
    await expect(manager.consumers.delete(EVENT_STREAM, 'identity')).rejects.toThrow();
    await expect(
      jetstream(await as('tunnels'), { timeout: 1_000 }).consumers.get(EVENT_STREAM, 'devices'),
    ).rejects.toThrow();
  });

  it('as the doctor it asks who is there and how the stream is, and changes nothing', async () => {
    const connection = await as('doctor');
    const manager = await jetstreamManager(connection, { timeout: 10_000 });
    await expect(manager.streams.info(EVENT_STREAM)).resolves.toMatchObject({ config: { name: EVENT_STREAM } });
    await expect(manager.streams.purge(EVENT_STREAM)).rejects.toThrow();
    await expect(connection.request('$SRV.PING', '', { timeout: 10_000 })).rejects.toThrow(/no responders/i);
    await expect(connection.request(subjectOfKind('deviceChanged'), '', { timeout: 1_000 })).rejects.toThrow();
  });

  it('is refused without its password', async () => {
    const anonymous = { servers: server.url, reconnect: false };
    await expect(connect(anonymous)).rejects.toThrow(/auth/i);
    await expect(connect({ ...anonymous, user: 'identity', pass: password('gateway') })).rejects.toThrow(/auth/i);
  });
});
