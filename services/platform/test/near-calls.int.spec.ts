import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import { Role, UserCallerSchema } from '@warren/proto/common/v1/common';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { runApart, runTogether } from '../src/process/together.ts';
import { serviceCaller, userCaller } from '../src/rpc/caller.ts';
import { createRpcClient } from '../src/rpc/client.ts';
import { NatsLink } from '../src/rpc/nats.connection.ts';
import { NatsTransport } from '../src/rpc/nats.transport.ts';
import { RpcServer } from '../src/rpc/rpc.server.ts';
import { startProcess } from './process.ts';

const superAdmin = userCaller(create(UserCallerSchema, { userId: 'u', role: Role.SUPER_ADMIN, operator: true }));
let nats: Awaited<ReturnType<typeof startNats>>;
const apps: Record<string, INestApplicationContext> = {};

beforeAll(async () => {
  nats = await startNats();
  runTogether('hub');
  const serve = (service: typeof IdentityService | typeof TenancyService) => (app: INestApplicationContext) => {
    const handlers = Object.fromEntries(service.methods.map(({ localName }) => [localName, async () => ({})]));
    app.get(RpcServer).serve(service as never, handlers as never);
  };
  apps['identity'] = await startProcess('identity', nats.url, serve(IdentityService));
  apps['tenancy'] = await startProcess('tenancy', nats.url, serve(TenancyService));
  for (const name of ['gateway', 'tunnels']) apps[name] = await startProcess(name, nats.url);
});
afterAll(async () => {
  runApart();
  await Promise.all(Object.values(apps).map((app) => app.close()));
  await nats?.stop();
});

const identityFor = (name: string) => createRpcClient(IdentityService, apps[name]!.get(NatsTransport));
const tenancyFor = (name: string) => createRpcClient(TenancyService, apps[name]!.get(NatsTransport));
const refused = expect.objectContaining({ code: 'unauthenticated' });

it('services of one process call each other without the bus', async () => {
  const { connection } = apps['gateway']!.get(NatsLink);
  const before = connection.stats().outMsgs;
  await expect(tenancyFor('gateway').listAccounts(superAdmin, {})).resolves.toBeDefined();
  await expect(identityFor('tunnels').checkSession(serviceCaller('tunnels'), {})).resolves.toBeDefined();
  expect(connection.stats().outMsgs).toBe(before);
});

it('none has more rights there than on the bus', async () => {
  await expect(identityFor('tunnels').signIn(serviceCaller('tunnels'), {})).rejects.toEqual(refused);
  await expect(identityFor('tunnels').checkSession(serviceCaller('gateway'), {})).rejects.toEqual(refused);
  await expect(tenancyFor('tunnels').listAccounts(superAdmin, {})).rejects.toEqual(refused);
});
