import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { startNats } from '@warren/infra/nats';
import { Fault } from '../src/errors/fault.ts';
import { serviceCaller } from '../src/rpc/caller.ts';
import { createRpcClient } from '../src/rpc/client.ts';
import { NatsTransport } from '../src/rpc/nats.transport.ts';
import { RpcServer } from '../src/rpc/rpc.server.ts';
import type { RpcClient, RpcHandlers } from '../src/rpc/types.ts';
import { startProcess } from './process.ts';
import { until } from '@warren/infra/until';

const caller = serviceCaller('gateway');

/** Handlers of which only one is called; the others would fail the test. */
function handlers(getAccount: RpcHandlers<typeof TenancyService>['getAccount']) {
  return { getAccount } as RpcHandlers<typeof TenancyService>;
}

describe('calls over NATS', () => {
  let nats: Awaited<ReturnType<typeof startNats>>;
  let server: INestApplicationContext;
  let client: INestApplicationContext;
  let tenancy: RpcClient<typeof TenancyService>;

  beforeAll(async () => {
    nats = await startNats();
    server = await startProcess('tenancy', nats.url, (app) =>
      app.get(RpcServer).serve(
        TenancyService,
        handlers(async (from, { id }) => {
          if (id === 'missing') throw new Fault('not_found', `account ${id}.`);
          if (id === 'broken') throw new Error('the password is hunter2');
          if (id === 'slow') await new Promise((done) => setTimeout(done, 2_000).unref());
          return { account: { id, name: from.kind.case ?? '' } };
        }),
      ),
    );
    client = await startProcess('gateway', nats.url);
    tenancy = createRpcClient(TenancyService, client.get(NatsTransport));
  });

  afterAll(async () => {
    await client?.close();
    await server?.close();
    await nats?.stop();
  });

  it('carry the request, the caller and the answer', async () => {
    const { account } = await tenancy.getAccount(caller, { id: 'a1' });
    expect(account).toMatchObject({ id: 'a1', name: 'service' });
  });

  it('carry a fault with its code', async () => {
    await expect(tenancy.getAccount(caller, { id: 'missing' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('hide what an unknown error says', async () => {
    const failure = tenancy.getAccount(caller, { id: 'broken' });
    await expect(failure).rejects.toMatchObject({ code: 'internal' });
    await expect(failure).rejects.not.toThrow(/hunter2/);
  });

  it('end at their deadline', async () => {
    await expect(tenancy.getAccount(caller, { id: 'slow' }, { timeoutMs: 100 })).rejects.toMatchObject({
      code: 'deadline_exceeded',
    });
  });

  it('reach the one process that is named', async () => {
    const serve = (name: string) => (app: INestApplicationContext) =>
      app.get(RpcServer).serve(
        TenancyService,
        handlers(async (_, { id }) => ({ account: { id, name } })),
        name,
      );
    const replicas = await Promise.all(['r1', 'r2'].map((name) => startProcess('tenancy', nats.url, serve(name))));
    try {
      for (const instance of ['r1', 'r2', 'r2', 'r1'])
        expect((await tenancy.getAccount(caller, { id: 'a' }, { instance })).account?.name).toBe(instance);
      await expect(tenancy.getAccount(caller, { id: 'a' }, { instance: 'r3' })).rejects.toMatchObject({
        code: 'unavailable',
      });
    } finally {
      await Promise.all(replicas.map((replica) => replica.close()));
    }
  });

  it('are unavailable at once without a server, and with Retry-After', async () => {
    await expect(tenancy.listUsers(caller, {})).rejects.toBeInstanceOf(Fault);
    await server.close();
    // Longer than this test may take: the answer is not the deadline's.
    const options = { timeoutMs: 300_000 };
    await expect(tenancy.getAccount(caller, { id: 'a1' }, options)).rejects.toMatchObject({
      code: 'unavailable',
      retryAfter: 2,
    });
    server = await startProcess('tenancy', nats.url, (app) =>
      app.get(RpcServer).serve(
        TenancyService,
        handlers(async (_, { id }) => ({ account: { id } })),
      ),
    );
    expect((await tenancy.getAccount(caller, { id: 'a2' })).account?.id).toBe('a2');
  });

  it('work again after the server was killed and came back', async () => {
    await nats.kill();
    await expect(tenancy.getAccount(caller, { id: 'a1' }, { timeoutMs: 500 })).rejects.toMatchObject({
      code: expect.stringMatching(/unavailable|deadline_exceeded/) as unknown as string,
    });
    await nats.start();
    await until(async () => (await tenancy.getAccount(caller, { id: 'a3' })).account?.id === 'a3');
  });
});
