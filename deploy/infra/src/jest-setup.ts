import { startPgBouncer } from './pgbouncer.ts';
import { testServers, type TestServers } from './test-servers.ts';

declare global {
  var warrenTestServers: TestServers | undefined;
}

/** Jest `globalSetup`: one set of servers for the whole run, with TEST_POOLER=1 a pooler too. The workers inherit the environment. */
export default async function setup(): Promise<void> {
  if (globalThis.warrenTestServers) return;
  globalThis.warrenTestServers = await testServers({ postgres: true, redis: true, nats: true });
  Object.assign(process.env, globalThis.warrenTestServers.env);
  if (process.env['TEST_POOLER'] !== '1') return;
  const { url } = await startPgBouncer(process.env['TEST_DATABASE_URL'] ?? '');
  process.env['TEST_POOLER_URL'] = url;
}
