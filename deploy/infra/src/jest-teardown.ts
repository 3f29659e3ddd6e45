import './jest-setup.ts';

/** Jest `globalTeardown` for jest-setup. */
export default async function teardown(): Promise<void> {
  const servers = globalThis.warrenTestServers;
  globalThis.warrenTestServers = undefined;
  for (const name of Object.keys(servers?.env ?? {})) Reflect.deleteProperty(process.env, name);
  await servers?.stop();
}
