import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { test, type BrowserContext } from '@playwright/test';
import { useFirst } from '../../support/containers/first.use.ts';
import { makeServers } from '../../support/containers/images.ts';
import { Installation } from '../../support/containers/installation.ts';
import { serveTunnel } from '../../support/containers/tunnel.ts';
import { canCarryMachines, Engine } from '../../support/engine.ts';
import { Machine } from '../../support/machine.ts';
import { expect, measured } from '../../support/test.ts';

const run = promisify(execFile);
/** The bundle for machines without internet, in the folder of its release. */
const bundle = resolve(process.env['WARREN_AIRGAP'] ?? '');
const host = `island-${process.pid}`;

test.describe.configure({ mode: 'serial', timeout: 900_000 });
test.skip(!canCarryMachines, 'needs root and Docker');

/** What docs/release.md says for a machine that has the bundle and no internet. */
test.describe('an installation from the air-gap bundle', () => {
  const name = basename(bundle, '.tar');
  const version = name.replace(/^warren-(.*)-airgap$/, '$1');
  let engine: Engine;
  let folder = '';
  let installation: Installation | undefined;
  let machine: Machine | undefined;
  let tunnel: Awaited<ReturnType<typeof serveTunnel>> | undefined;
  let context: BrowserContext | undefined;

  test.beforeAll(async () => {
    engine = await Engine.start();
    folder = await mkdtemp(join(tmpdir(), 'warren-airgap-'));
    await run('tar', ['-xf', bundle, '-C', folder]);
  });

  // oxlint-disable-next-line no-empty-pattern
  test.afterEach(async ({}, info) => {
    if (info.status === info.expectedStatus || !installation) return;
    await info.attach('services.log', { body: await installation.logs(), contentType: 'text/plain' });
  });

  test.afterAll(async () => {
    await machine?.remove();
    await context?.close();
    tunnel?.stop();
    await installation?.remove();
    if (folder) await rm(folder, { recursive: true, force: true });
    await engine?.stop();
  });

  test('is signed by the key that the release names', async () => {
    const cwd = join(folder, name);
    const key = join(dirname(bundle), 'release-key.pem.pub');
    const verify = [
      'pkeyutl',
      '-verify',
      '-pubin',
      '-inkey',
      key,
      '-rawin',
      '-in',
      'SHA256SUMS',
      '-sigfile',
      'SHA256SUMS.sig',
    ];
    expect((await run('openssl', verify, { cwd })).stdout).toContain('Verified Successfully');
  });

  test('loads its images, and refuses a file that was changed', async () => {
    const cwd = join(folder, name);
    const images = (await run('docker', ['images', '--quiet', `warren/*:${version}`])).stdout
      .split('\n')
      .filter(Boolean);
    if (images.length > 0) await run('docker', ['rmi', '--force', ...images]);
    await run('sh', ['-c', 'echo >>CHANGELOG.md'], { cwd });
    await expect(run('./load.sh', [], { cwd })).rejects.toMatchObject({ code: 65 });
    await run('sh', ['-c', 'head -c -1 CHANGELOG.md >kept && mv kept CHANGELOG.md'], { cwd });
    const since = Date.now();
    const { stdout } = await run('./load.sh', [], { cwd });
    measured('loaded', Date.now() - since, 'ms');
    expect(stdout).toContain(`warren/gateway:${version}`);
  });

  test('starts with Compose: the operator signs in, a device installs its agent from the hub, its shell opens', async ({
    browser,
  }) => {
    await run('tar', ['-xzf', `warren-${version}-compose.tar.gz`], { cwd: join(folder, name) });
    const files = join(folder, name, `warren-${version}`);
    installation = await Installation.prepare(await makeServers(engine), { files, prefix: 'warren', tag: version });
    const since = Date.now();
    await installation.up();
    measured('up', Date.now() - since, 'ms');
    const { hub, address } = installation;
    const place = (of: string) => installation?.place(of);
    tunnel = await serveTunnel(place);
    context = await browser.newContext({ baseURL: hub, proxy: { server: tunnel.url }, ignoreHTTPSErrors: true });
    machine = await Machine.start(engine, host, { [new URL(hub).hostname]: address });
    expect(await useFirst({ installation, context, machine, host })).not.toBe('');
    for (const image of await installation.images()) expect(image).toMatch(new RegExp(`^warren/\\w+:${version}$`));
  });
});
