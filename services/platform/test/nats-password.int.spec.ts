import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { connect } from '@nats-io/transport-node';
import { startNats } from '@warren/infra/nats';
import type { Server } from '@warren/infra/server';
import { until } from '@warren/infra/until';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUS_USERS, natsAccounts, passwordVariable } from '../src/rights/nats.accounts.ts';
import { serviceCaller } from '../src/rpc/caller.ts';
import { createRpcClient } from '../src/rpc/client.ts';
import { NatsLink } from '../src/rpc/nats.connection.ts';
import { NatsTransport } from '../src/rpc/nats.transport.ts';
import { RpcServer } from '../src/rpc/rpc.server.ts';
import { startProcess } from './process.ts';

const HEAD = '\n      {\n        user: ';
const USER = `${HEAD}identity\n`;
const old = (user: string) => `old-${user}`;

/** The accounts with a second user beside identity, the only one with the new password, or in its place. */
function accounts(which: 'old' | 'both' | 'new'): string {
  const text = natsAccounts();
  const at = text.indexOf(USER);
  const block = text.slice(at, text.indexOf(HEAD, at + 1));
  const second = block.replace('identity', 'identity_2').replace(`$${passwordVariable('identity')}`, '"new"');
  return text.replace(block, () => ({ old: block, both: block + second, new: second })[which]);
}

let folder: string;
let server: Server;
const apps: INestApplicationContext[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'warren-nats-password-'));
  const file = join(folder, 'accounts.conf');
  await writeFile(file, accounts('old'));
  const variables = Object.fromEntries(BUS_USERS.map((user) => [passwordVariable(user), old(user)]));
  server = await startNats({}, { file, variables });
});
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function reload(which: Parameters<typeof accounts>[0]): Promise<void> {
  await writeFile(join(folder, 'accounts.conf'), accounts(which));
  process.kill(server.pid, 'SIGHUP');
}

const enters = (user: string, pass: string) =>
  connect({ servers: server.url, user, pass, reconnect: false }).then(
    (connection) => connection.close().then(() => true),
    () => false,
  );

async function identity(user: string, password: string): Promise<INestApplicationContext> {
  const serve = (app: INestApplicationContext) => {
    const handlers = Object.fromEntries(IdentityService.methods.map((method) => [method.localName, async () => ({})]));
    app.get(RpcServer).serve(IdentityService, handlers as never);
  };
  const credentials = { NATS_USER: user, NATS_PASSWORD: password };
  const app = await startProcess('identity', server.url, serve, { environment: credentials });
  apps.push(app);
  return app;
}

// docs/operations/rotate-secrets.md, "NATS password".
describe('a password on the bus that changes by a second user', () => {
  it('is rolled over, and no call is lost but those on their way at a reload', async () => {
    const first = await identity('identity', old('identity'));
    const credentials = { NATS_USER: 'gateway', NATS_PASSWORD: old('gateway') };
    const gateway = await startProcess('gateway', server.url, () => {}, { environment: credentials });
    apps.push(gateway);
    const [method] = IdentityService.methods;
    const client = createRpcClient(IdentityService, gateway.get(NatsTransport)) as unknown as Record<
      string,
      (...args: unknown[]) => Promise<unknown>
    >;
    let rolling = true;
    let [calls, lost] = [0, 0];
    const caller = (async () => {
      while (rolling) {
        await client[method?.localName ?? '']?.(serviceCaller('gateway'), {}, { timeoutMs: 1_000 }).then(
          () => calls++,
          () => lost++,
        );
      }
    })();

    await reload('both');
    await until(() => enters('identity_2', 'new'));
    const second = await identity('identity_2', 'new');
    await first.close();
    await reload('new');
    await until(async () => !(await enters('identity', old('identity'))));
    const enough = calls + 10;
    await until(() => calls > enough);
    rolling = false;
    await caller;
    // A reload forgets who may still answer what: of one call at a time, at most the one that is on its way.
    expect(lost).toBeLessThanOrEqual(2);
    expect(second.get(NatsLink).ready).toBe(true);
  });
});
