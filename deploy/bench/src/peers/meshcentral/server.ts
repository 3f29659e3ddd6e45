import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, portRefusal } from '@warren/infra/ports';
import { launch, untilReady } from '@warren/infra/process';
import { until } from '@warren/infra/until';
import { page, pageHeaders, type Address } from './address.ts';
import type { Account } from './control.ts';
import { configuration } from './settings.ts';

/** Its first start makes keys and certificates. */
const START_MS = 120_000;

/** Starts the server with one account and with all that it keeps below `folder`; `program` is the folder of its package. */
export async function startServer(
  program: string,
  folder: string,
  account: Account,
): Promise<{ address: Address; stop(): Promise<void> }> {
  const [data, files] = [join(folder, 'data'), join(folder, 'files')];
  for (const one of [data, files]) await mkdir(one);
  const ports = { hub: await freePort(), pages: await freePort() };
  await writeFile(join(data, 'config.json'), JSON.stringify(configuration(ports)));
  const args = [join(program, 'meshcentral.js'), '--datapath', data, '--filespath', files];
  await makeAccount(args, account);
  const address = async () => ({ ports, ca: await readFile(join(data, 'root-cert-public.crt'), 'utf8') });
  const ready = async () => {
    const there = await address();
    await page(there, '/');
    await pageHeaders(there, '/');
  };
  const spec = { name: 'MeshCentral', command: process.execPath, args, log: join(folder, 'server.log'), ready };
  const running = launch(spec);
  const stop = async () => {
    await running.stop();
    // What serves is a process below the one that was started, and ends by itself when that is gone.
    await until(async () => (await portRefusal('127.0.0.1', ports.hub)) === undefined);
  };
  try {
    await untilReady(spec, running, START_MS);
  } catch (error) {
    await stop();
    throw error;
  }
  return { address: await address(), stop };
}

/** Makes an account that may do everything. The password goes by the environment, which other users of this machine can't list. */
async function makeAccount(args: string[], { name, password }: Account): Promise<void> {
  const env = { ...process.env, MESHCENTRAL_PASS: password };
  for (const order of ['--createaccount', '--adminaccount']) {
    const { stdout } = await promisify(execFile)(process.execPath, [...args, order, name], { env });
    if (!stdout.startsWith('Done')) throw new Error(`${order}: ${stdout.trim()}`);
  }
}
