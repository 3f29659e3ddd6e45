import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create, type DescMethodUnary } from '@bufbuild/protobuf';
import type { Msg } from '@nats-io/transport-node';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import { until } from '@warren/infra/until';
import { Role, UserCallerSchema } from '@warren/proto/common/v1/common';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { SERVICE_NAMES, type ServiceName } from '../src/nats/calls.ts';
import { MAX_IN_FLIGHT, RESERVED } from '../src/rpc/call.slots.ts';
import { serviceCaller, userCaller, type Caller } from '../src/rpc/caller.ts';
import { createRpcClient } from '../src/rpc/client.ts';
import { NatsTransport } from '../src/rpc/nats.transport.ts';
import { NatsLink } from '../src/rpc/nats.connection.ts';
import { RpcServer } from '../src/rpc/rpc.server.ts';
import { decodeFault, subjectOf } from '../src/rpc/wire.ts';
import { callerKey, CALLER_KEYS } from './caller.keys.ts';
import { startProcess } from './process.ts';

const superAdmin = userCaller(create(UserCallerSchema, { userId: 'u', role: Role.SUPER_ADMIN, operator: true }));

/** A session whose calls stay in flight until the test releases them. */
const HELD = 'held';

/** A bus where anybody may publish anything: what the callee refuses by itself. */
describe('on a bus without rights', () => {
  let nats: Awaited<ReturnType<typeof startNats>>;
  const apps: INestApplicationContext[] = [];
  const signing = new Map<ServiceName, INestApplicationContext>();
  let unsigned: INestApplicationContext;
  /** Release the calls that are held in flight. */
  const held: (() => void)[] = [];

  beforeAll(async () => {
    nats = await startNats();
    for (const name of SERVICE_NAMES) {
      const environment = { CALLER_KEY: callerKey(name), CALLER_KEYS };
      const app = await startProcess(name, nats.url, (made) => serve(name, made), { environment });
      signing.set(name, app);
      apps.push(app);
    }
    // As 0.1.0 does.
    unsigned = await startProcess('gateway', nats.url);
    apps.push(unsigned);
  });
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await nats?.stop();
  });

  function serve(name: ServiceName, app: INestApplicationContext): void {
    for (const service of name === 'identity' ? [IdentityService] : name === 'tenancy' ? [TenancyService] : []) {
      const answer = async (_: Caller, { session }: { session?: string }) => {
        if (session === HELD) await new Promise<void>((release) => held.push(release));
        return {};
      };
      const handlers = Object.fromEntries(service.methods.map(({ localName }) => [localName, answer]));
      app.get(RpcServer).serve(service, handlers as never);
    }
  }

  const from = (app: INestApplicationContext | undefined) => {
    const transport = app?.get(NatsTransport) as NatsTransport;
    return {
      identity: createRpcClient(IdentityService, transport),
      tenancy: createRpcClient(TenancyService, transport),
    };
  };
  const refused = expect.objectContaining({ code: 'unauthenticated' });

  it('the gateway signs people in and acts for them', async () => {
    const { identity, tenancy } = from(signing.get('gateway'));
    await expect(identity.signIn(serviceCaller('gateway'), {})).resolves.toBeDefined();
    await expect(tenancy.listAccounts(superAdmin, {})).resolves.toBeDefined();
  });

  it.each(['tunnels', 'devices', 'identity', 'tenancy'] as const)('%s does neither, by whatever name', async (name) => {
    const { identity, tenancy } = from(signing.get(name));
    for (const caller of [serviceCaller('gateway'), serviceCaller(name), superAdmin]) {
      await expect(identity.signIn(caller, {})).rejects.toEqual(refused);
      await expect(tenancy.listAccounts(caller, {})).rejects.toEqual(refused);
    }
  });

  it('a service does what is its own', async () => {
    const { identity } = from(signing.get('tunnels'));
    await expect(identity.checkSession(serviceCaller('tunnels'), {})).resolves.toBeDefined();
  });

  it('a captured call is not answered again', async () => {
    const { connection } = signing.get('gateway')!.get(NatsLink);
    const captured: Msg[] = [];
    const { deleteAccount } = TenancyService.method;
    const watch = connection.subscribe(subjectOf(deleteAccount as DescMethodUnary), {
      callback: (_error, msg) => void captured.push(msg),
    });
    await connection.flush();
    await from(signing.get('gateway')).tenancy.deleteAccount(superAdmin, {});
    await connection.flush();
    watch.unsubscribe();
    expect(captured).toHaveLength(1);
    const [{ subject, data, headers } = {} as Msg] = captured;
    const again = await connection.request(subject, data, { timeout: 5_000, ...(headers && { headers }) });
    expect(decodeFault(again.headers, again.data)).toEqual(refused);
  });

  it('a service that fills a process with its calls leaves room for the others, and neither can hold more than its bound', async () => {
    const { identity: flood } = from(signing.get('tunnels'));
    const { identity } = from(signing.get('gateway'));
    const exhausted = expect.objectContaining({ code: 'resource_exhausted' });
    const timeoutMs = 60_000;
    const filling = Array.from({ length: MAX_IN_FLIGHT }, () =>
      flood.checkSession(serviceCaller('tunnels'), { session: HELD }, { timeoutMs }),
    );
    await until(() => held.length === MAX_IN_FLIGHT);
    await expect(flood.checkSession(serviceCaller('tunnels'), {})).rejects.toEqual(exhausted);
    const others = Array.from({ length: RESERVED }, () =>
      identity.getSession(serviceCaller('gateway'), { session: HELD }, { timeoutMs }),
    );
    await until(() => held.length === MAX_IN_FLIGHT + RESERVED);
    await expect(identity.getSession(serviceCaller('gateway'), {})).rejects.toEqual(exhausted);
    for (const release of held.splice(0)) release();
    await Promise.all([...filling, ...others]);
    await expect(flood.checkSession(serviceCaller('tunnels'), {})).resolves.toBeDefined();
  });

  it('no call without a signature is answered', async () => {
    await expect(from(unsigned).tenancy.listAccounts(superAdmin, {})).rejects.toEqual(refused);
  });
});

describe('while services are replaced one by one', () => {
  it('old and new ones answer each other', async () => {
    const nats = await startNats();
    const handlers = { getAccount: async () => ({}) } as never;
    const environment = { CALLER_KEY: callerKey('tenancy'), CALLER_KEYS, UNSIGNED_CALLS: 'accept' };
    const ask = async (app: INestApplicationContext) =>
      createRpcClient(TenancyService, app.get(NatsTransport)).getAccount(serviceCaller('gateway'), {});
    const old = await startProcess('gateway', nats.url);
    const gateway = await startProcess('gateway', nats.url, () => {}, {
      environment: { CALLER_KEY: callerKey('gateway'), CALLER_KEYS },
    });
    try {
      for (const more of [{}, { environment }]) {
        const prepare = (app: INestApplicationContext) => app.get(RpcServer).serve(TenancyService, handlers);
        const tenancy = await startProcess('tenancy', nats.url, prepare, more);
        await expect(ask(old)).resolves.toBeDefined();
        await expect(ask(gateway)).resolves.toBeDefined();
        await tenancy.close();
      }
    } finally {
      await Promise.all([old.close(), gateway.close()]);
      await nats.stop();
    }
  });
});
