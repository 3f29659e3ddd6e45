import { testServers, type TestServers } from './test-servers.ts';

declare global {
  var warrenTestServers: TestServers | undefined;
}

/** Jest `globalSetup`: one set of servers for the whole run. The workers inherit the environment. */
export default async function setup(): Promise<void> {
  if (globalThis.warrenTestServers) return;
  globalThis.warrenTestServers = await testServers({ postgres: true, redis: true, nats: true });
  Object.assign(process.env, globalThis.warrenTestServers.env);
}
