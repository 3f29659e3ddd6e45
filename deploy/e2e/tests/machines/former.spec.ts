import { readFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { device, devices, enrolmentToken } from '../../support/api.ts';
import { canCarryMachines, Engine } from '../../support/engine.ts';
import { Machine } from '../../support/machine.ts';
import { attachJournal } from '../../support/machine.hooks.ts';
import { makeRelease } from '../../support/releases.ts';
import { rolloutDevices, startNextRollout } from '../../support/rollouts.ts';
import { expect, test } from '../../support/test.ts';
import { WireTerminal } from '../../support/wire.ts';

/** A release before this one: its `install.sh`, and its `packages`, signed by the key of this workspace. */
const former = process.env['WARREN_FORMER_RELEASE'] ?? '';

/** As 0.1.0 has it; later installers leave users to `setup.sh`. */
const oneUser = former !== '' && !readFileSync(join(former, 'install.sh'), 'utf8').includes('setup.sh');

test.describe.configure({ mode: 'serial', timeout: 400_000 });
test.skip(
  !canCarryMachines || !oneUser,
  'needs root, Docker and WARREN_FORMER_RELEASE, a folder with a release whose link and shells are one user',
);

const host = `former-${process.pid}`;
const soon = { timeout: 150_000 };
const [good, crashing] = ['901.0.0', '902.0.0'];

/** A device that was installed when link and shells were one user, and its updates to versions where they are two. */
test.describe('the agent of a former release', () => {
  let engine: Engine;
  let machine: Machine;
  let account = '';
  let id = '';
  let first = '';
  let releases = '';

  test.beforeAll(async ({ warren }) => {
    test.setTimeout(300_000);
    releases = join(warren.facts.home, 'releases');
    engine = await Engine.start();
    await mkdir(releases, { recursive: true });
    [machine] = await Promise.all([
      Machine.start(engine, host),
      makeRelease(join(releases, 'good'), good),
      makeRelease(join(releases, 'crashing'), crashing, { instead: 'echo broken >&2; exit 1' }),
    ]);
  });

  test.afterAll(async () => {
    if (releases) await rm(releases, { recursive: true, force: true });
    await machine?.remove();
    await engine?.stop();
  });

  // oxlint-disable-next-line no-empty-pattern
  test.afterEach(async ({}, info) => {
    await attachJournal(
      machine,
      info,
      'journalctl -o short-precise --no-pager -n 300; ls -la /opt/warren-agent /var/lib/warren-agent; systemctl cat warren-agent',
    );
  });

  const version = async (page: Page) => (await device(page.request, id)).agent_version;
  const status = async (page: Page) => (await device(page.request, id)).status;
  const state = async (page: Page, rolled: string) => (await rolloutDevices(page.request, rolled))[0]?.state;
  const begin = (page: Page, hub: string, of: string) =>
    startNextRollout(page.request, hub, { version: of, account, within: soon.timeout });
  const users = async (page: Page, hub: string) => {
    const terminal = await WireTerminal.ofDevice(page.request, hub, id);
    terminal.type(
      'echo "shell-$(id -un)-"; cat /var/lib/warren-agent/key.pem >/dev/null && echo key-$((6 * 7)) || echo none-$((6 * 7))\r',
    );
    await expect.poll(() => terminal.text).toMatch(/(key|none)-42/);
    const shell = /shell-(\w+)-/.exec(terminal.text)?.[1];
    const readsKey = terminal.text.includes('key-42');
    terminal.close();
    await expect.poll(() => machine.sh('pgrep -u warren -x bash').then(({ text }) => text)).toBe('');
    return { link: await machine.says('systemctl show -p User --value warren-agent'), shell, readsKey };
  };
  const asInstalled = { link: 'warren', shell: 'warren', readsKey: true };
  const separated = { link: 'warren-agent', shell: 'warren', readsKey: false };
  const wentBack = async (page: Page, hub: string) => {
    await expect.poll(() => version(page), soon).toBe(first);
    await expect.poll(() => status(page), soon).toBe('Connected');
    expect(await users(page, hub)).toEqual(asInstalled);
    expect(await machine.says('stat -c %a:%U /var/lib/warren-agent /var/lib/warren-agent/key.pem')).toBe(
      '700:warren\n600:warren',
    );
    const units = 'ls /etc/systemd/system | grep -E "shell|setup" || true';
    expect(await machine.says(units)).toBe('');
  };

  test('is installed', async ({ enter, warren }) => {
    const page = await enter('superAdmin');
    const { hub } = warren.facts;
    const headers = { origin: hub };
    const made = await page.request.post('/api/accounts/new', { headers, data: { name: `Formers ${process.pid}` } });
    account = ((await made.json()) as { account: { id: string } }).account.id;
    const { command } = await enrolmentToken(page.request, hub, account);
    const listed = JSON.parse(await readFile(join(former, 'packages/manifest.json'), 'utf8')) as {
      version: string;
      packages: { os: string; arch: string; file: string; sha256: string; size: number }[];
    };
    first = listed.version;
    const values: Record<string, string> = {
      '@HUB@': hub,
      '@ACCOUNT@': account,
      '@TOKEN@': /token=([\w-]+)/.exec(command)?.[1] ?? '',
      '@MANIFEST@': listed.packages.map((p) => `${p.os}-${p.arch} ${p.file} ${p.sha256} ${p.size}`).join('\n'),
      '@RELEASE_KEY@': (await readFile(join(former, 'packages/release-key.pub'), 'utf8')).trim(),
      '$HUB/install/packages/': 'file:///root/former/',
    };
    let script = await readFile(join(former, 'install.sh'), 'utf8');
    for (const [name, value] of Object.entries(values)) script = script.replaceAll(name, value);
    const file = join(warren.facts.home, 'former-install.sh');
    await writeFile(file, script);
    await machine.put(join(former, 'packages'), '/root/former');
    await machine.put(file, '/root/install.sh');
    expect(await machine.says('sh /root/install.sh')).toContain('Connected since');
    id = (await devices(page.request, `account=${account}`)).devices[0]?.id ?? '';
    await expect.poll(() => version(page), soon).toBe(first);
    expect(await users(page, hub)).toEqual(asInstalled);
  });

  test('goes back, as it was, from a version that crashes', async ({ enter, warren }) => {
    const page = await enter('superAdmin');
    const rolled = await begin(page, warren.facts.hub, crashing);
    await expect.poll(() => state(page, rolled), soon).toBe('failed');
    await wentBack(page, warren.facts.hub);
  });

  test('becomes two users by an update, with the same key', async ({ enter, warren }) => {
    const page = await enter('superAdmin');
    const key = await machine.says('sha256sum /var/lib/warren-agent/key.pem');
    const rolled = await begin(page, warren.facts.hub, good);
    await expect.poll(() => state(page, rolled), soon).toBe('updated');
    await expect.poll(() => version(page), soon).toBe(good);
    expect(await machine.says('sha256sum /var/lib/warren-agent/key.pem')).toBe(key);
    expect(await users(page, warren.facts.hub)).toEqual(separated);
  });

  test('goes back, as it was, when the rollout is rolled back, though its key was changed', async ({
    enter,
    warren,
  }) => {
    const page = await enter('superAdmin');
    await machine.says('warren-agent rotate-key');
    await page.goto('/updates');
    const card = page.getByRole('article', { name: `Devices of the rollout of ${good}` }).first();
    await card.getByRole('button', { name: 'Roll back' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
    await expect(card).toContainText('gone back', soon);
    await wentBack(page, warren.facts.hub);
  });

  test('becomes two users when the power is cut in the trial', async ({ enter, warren }) => {
    const page = await enter('superAdmin');
    const rolled = await begin(page, warren.facts.hub, good);
    await expect.poll(() => machine.says('ls /opt/warren-agent/trial 2>/dev/null; true'), soon).not.toBe('');
    await machine.cutPower();
    await expect.poll(() => state(page, rolled), soon).toBe('updated');
    expect(await users(page, warren.facts.hub)).toEqual(separated);
    await machine.says('reboot');
    await machine.comeBack();
    await expect.poll(() => status(page), soon).toBe('Connected');
    expect(await users(page, warren.facts.hub)).toEqual(separated);
  });
});
