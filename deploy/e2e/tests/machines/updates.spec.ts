import { mkdtemp, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { device, devices, enrolmentToken } from '../../support/api.ts';
import { canCarryMachines, Engine } from '../../support/engine.ts';
import { Machine } from '../../support/machine.ts';
import { attachJournal } from '../../support/machine.hooks.ts';
import { makeRelease } from '../../support/releases.ts';
import { rollout, rolloutDevices, startNextRollout } from '../../support/rollouts.ts';
import { long, SOAK } from '../../support/soak.ts';
import { expect, measured, test } from '../../support/test.ts';
import { WireTerminal } from '../../support/wire.ts';

test.describe.configure({ mode: 'serial', timeout: 400_000 });
test.skip(!canCarryMachines, 'needs root and Docker');

/** Those that wait for the end of trials, a minute each, run in `make soak`; the updater's unit tests cover their decisions. */
const patient = long ? test : test.skip;

const host = `kiosk-${process.pid}`;
const soon = { timeout: 150_000 };
/** Seconds that a version has to reach the hub; two minutes as it is installed. */
const TRIAL_S = 45;
/** Seconds that a version must stay linked; ten minutes as it is installed, and at the hub. */
const STAY_S = 20;
/** What the service of a newer version differs in, and what helps it besides. */
const units = {
  'warren-agent.service': ['[Service]', 'Nice=1'],
  'warren-agent-extra.path': ['[Path]', 'PathExists=/run/nothing', '[Install]', 'WantedBy=multi-user.target'],
  'warren-agent-extra.service': ['[Service]', 'ExecStart=/bin/true'],
};
/** Newer than any that the workspace builds. */
const [good, crashing, mute, damaged] = ['901.0.0', '902.0.0', '903.0.0', '904.0.0'];
const [flapping, later] = ['906.0.0', '907.0.0'];
/** Links with the hub, and ends after seconds. */
const short = { ...units, 'warren-agent.service': [...units['warren-agent.service'], 'RuntimeMaxSec=8'] };

/** Versions of the agent on their way to a machine, and back. */
test.describe('the agent of a machine with systemd', () => {
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
    [machine] = await Promise.all([
      Machine.start(engine, host),
      makeRelease(join(releases, 'good'), good, { units, update: true }),
      makeRelease(join(releases, 'crashing'), crashing, { units, instead: 'echo broken >&2; exit 1' }),
      makeRelease(join(releases, 'damaged'), damaged, { tampered: true }),
    ]);
    if (!long) return;
    // Says that it is up, and never links with the hub.
    await makeRelease(join(releases, 'mute'), mute, { units, instead: 'systemd-notify READY=1; exec sleep infinity' });
    await makeRelease(join(releases, 'flapping'), flapping, { units: short });
    await makeRelease(join(releases, 'later'), later, { units });
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
      'journalctl -o short-precise --no-pager -n 200 -u "warren-agent*"; ls -l /opt/warren-agent',
    );
  });

  const version = async (page: Page) => (await device(page.request, id)).agent_version;
  const status = async (page: Page) => (await device(page.request, id)).status;
  const one = async (page: Page, rolloutId: string) => (await rolloutDevices(page.request, rolloutId))[0];
  const begin = (page: Page, hub: string, of: string) =>
    startNextRollout(page.request, hub, { version: of, account, within: soon.timeout });
  const tries = (of: string) =>
    machine.says(`journalctl -o cat -u warren-agent-update | grep '"a version is tried"' | grep -c '"${of}"' || true`);
  const unitsAre = async (which: 'former' | 'newer') => {
    const former = which === 'former';
    expect(await machine.says('systemctl show -p Nice --value warren-agent')).toBe(former ? '0' : '1');
    const extra = await machine.says('systemctl show -p LoadState,ActiveState warren-agent-extra.path');
    expect(extra.split('\n').sort()).toEqual(
      former ? ['ActiveState=inactive', 'LoadState=not-found'] : ['ActiveState=active', 'LoadState=loaded'],
    );
    expect(await machine.says('ls /etc/systemd/system/*/warren-agent-extra* 2>/dev/null | wc -l')).toBe(
      former ? '0' : '1',
    );
  };
  const stays = async (page: Page) => {
    await expect.poll(() => status(page), soon).toBe('Connected');
    await expect.poll(() => version(page), soon).toBe(first);
    expect(await machine.says('warren-agent version')).toBe(first);
    await expect.poll(() => machine.says('ls /opt/warren-agent/trial 2>/dev/null; true'), soon).toBe('');
    await unitsAre('former');
  };

  test('is installed, and can be updated by root alone', async ({ enter, warren }) => {
    const page = await enter('superAdmin');
    const headers = { origin: warren.facts.hub };
    const made = await page.request.post('/api/accounts/new', { headers, data: { name: `Kiosks ${process.pid}` } });
    account = ((await made.json()) as { account: { id: string } }).account.id;
    const { command } = await enrolmentToken(page.request, warren.facts.hub, account);
    await machine.says(command);
    const found = (await devices(page.request, `account=${account}`)).devices[0];
    id = found?.id ?? '';
    first = await machine.says('warren-agent version');
    await expect.poll(() => version(page), soon).toBe(first);
    for (const path of ['', '/bin/warren-agent', '/current', '/release-key.pub', '/network.env', '/versions'])
      expect(await machine.says(`stat -c %U /opt/warren-agent${path}`)).toBe('root');
    expect((await machine.sh(`su warren -s /bin/sh -c 'echo x >>/opt/warren-agent/network.env'`)).code).not.toBe(0);
    const drop = '/etc/systemd/system/warren-agent-update.service.d';
    await machine.says(
      `mkdir -p ${drop} && printf '[Service]\\nEnvironment=WARREN_UPDATE_TRIAL=${TRIAL_S} WARREN_UPDATE_STAY=${STAY_S}\\n' >${drop}/quick.conf && systemctl daemon-reload`,
    );
  });

  test('runs the new version and its units, with the same key, and keeps an open terminal', async ({
    enter,
    warren,
  }) => {
    const page = await enter('superAdmin');
    const key = await machine.says('sha256sum /var/lib/warren-agent/key.pem');
    const terminal = await WireTerminal.ofDevice(page.request, warren.facts.hub, id);
    terminal.type('echo $((6 * 7))\r');
    await terminal.until('42');
    const rolled = await begin(page, warren.facts.hub, good);
    const shell = await machine.says('pgrep -u warren -x bash');
    const since = Date.now();
    await expect.poll(async () => (await one(page, rolled))?.state, soon).toBe('trial');
    measured('on trial with an open terminal', Date.now() - since, 'ms');
    await expect.poll(async () => (await one(page, rolled))?.state, soon).toBe('updated');
    expect(await machine.says('pgrep -u warren -x bash')).toBe(shell);
    terminal.close();
    await machine.says("systemctl stop 'warren-agent-shell@*'");
    await expect.poll(() => version(page), soon).toBe(good);
    await expect.poll(() => status(page), soon).toBe('Connected');
    expect(await machine.says('sha256sum /var/lib/warren-agent/key.pem')).toBe(key);
    // Only the code was downloaded: both versions have the one runtime.
    expect(Number(await machine.says('stat -c %s /var/lib/warren-agent/update/package.tar.gz'))).toBeLessThan(1e6);
    expect(await machine.says('stat -c %h /opt/warren-agent/current/lib/node')).toBe('2');
    await unitsAre('newer');
    await expect.poll(async () => (await rollout(page.request, rolled)).state, soon).toBe('done');
  });

  test('goes back when the rollout is rolled back in the console', async ({ enter }) => {
    const page = await enter('superAdmin');
    await page.goto('/updates');
    const card = page.getByRole('article', { name: `Devices of the rollout of ${good}` }).first();
    await expect(card).toContainText('updated');
    await card.getByRole('button', { name: 'Roll back' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
    await expect(card).toContainText('gone back', soon);
    await stays(page);
  });

  test('goes back by itself from a version that crashes, and does not try it again', async ({ enter, warren }) => {
    const page = await enter('superAdmin');
    const rolled = await begin(page, warren.facts.hub, crashing);
    await expect.poll(async () => (await one(page, rolled))?.state, soon).toBe('failed');
    await stays(page);
    expect(await tries(crashing)).toBe('1');
    await page.goto('/updates');
    const card = page.getByRole('article', { name: `Devices of the rollout of ${crashing}` });
    await card.getByRole('button', { name: 'Show devices' }).click();
    await expect(card.getByRole('row', { name: new RegExp(host) })).toContainText('Failed');
  });

  patient('goes back by itself from a version that does not reach the hub', async ({ enter, warren }) => {
    const page = await enter('superAdmin');
    const rolled = await begin(page, warren.facts.hub, mute);
    await expect.poll(async () => (await one(page, rolled))?.state, soon).toBe('failed');
    expect((await one(page, rolled))?.why).toContain(`it did not reach the hub within ${TRIAL_S} seconds`);
    await stays(page);
    expect(await tries(mute)).toBe('1');
  });

  patient('goes back by itself from a version that links and crashes again and again', async ({ enter, warren }) => {
    const page = await enter('superAdmin');
    const rolled = await begin(page, warren.facts.hub, flapping);
    await expect.poll(async () => (await one(page, rolled))?.state, soon).toBe('trial');
    await expect.poll(async () => (await one(page, rolled))?.state, soon).toBe('flapping');
    expect((await one(page, rolled))?.why).toMatch(
      /^it crashed 3 times, the last time after it was linked for \d seconds$/,
    );
    await stays(page);
    expect(await tries(flapping)).toBe('1');
    await page.goto('/updates');
    const card = page.getByRole('article', { name: `Devices of the rollout of ${flapping}` });
    await expect(card.getByRole('alert')).toContainText(`Version ${flapping} flaps on 1 device`);
  });

  patient(
    'goes back by itself from a version that crashes again and again after its trial',
    async ({ enter, warren }) => {
      const page = await enter('superAdmin');
      const rolled = await begin(page, warren.facts.hub, later);
      await expect.poll(async () => (await one(page, rolled))?.state, soon).toBe('updated');
      // A stop is no crash.
      await machine.says('systemctl restart warren-agent');
      const main = () => machine.says('systemctl show -p MainPID --value warren-agent');
      for (let crash = 0; crash < 4 && (await machine.says('warren-agent version')) === later; crash++) {
        const former = await main();
        await machine.says('systemctl kill --kill-who=main -s KILL warren-agent');
        await expect.poll(async () => [former, '0'].includes(await main()), soon).toBe(false);
      }
      await expect.poll(async () => (await one(page, rolled))?.state, soon).toBe('flapping');
      expect((await one(page, rolled))?.why).toMatch(/^it crashed [34] times/);
      await stays(page);
    },
  );

  test('refuses a package that is not what was signed', SOAK, async ({ enter, warren }) => {
    const page = await enter('superAdmin');
    const rolled = await begin(page, warren.facts.hub, damaged);
    await expect.poll(async () => (await one(page, rolled))?.state, soon).toBe('failed');
    expect((await one(page, rolled))?.why).toMatch(/is longer than|is damaged/);
    await stays(page);
    expect(await tries(damaged)).toBe('0');
  });

  test('is retried from the console, whole, when the package is the right one', SOAK, async ({ enter }) => {
    const archive = join(releases, 'damaged', `warren-agent-${damaged}-linux-${process.arch}.tar.gz`);
    await truncate(archive, (await stat(archive)).size - 1);
    const page = await enter('superAdmin');
    await page.goto('/updates');
    const card = page.getByRole('article', { name: `Devices of the rollout of ${damaged}` });
    await card.getByRole('button', { name: 'Show devices' }).click();
    await card.getByRole('button', { name: `Retry ${host}` }).click();
    await expect(card.getByRole('row', { name: new RegExp(host) })).toContainText('Updated', soon);
    await expect.poll(() => version(page), soon).toBe(damaged);
    expect(await machine.says('stat -c %h /opt/warren-agent/current/lib/node')).toBe('1');
    await card.getByRole('button', { name: 'Roll back' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
    await expect(card).toContainText('gone back', soon);
    await stays(page);
  });

  for (const [what, release, options, why] of [
    ['a version that another key has signed', '905.0.0', { stranger: true }, 'is not signed by the release key'],
    ['an older version, though it is signed', '0.0.1', {}, 'a downgrade is refused'],
  ] as const) {
    // Past the agent: as one that was taken over would ask.
    test(`refuses ${what} from every caller`, SOAK, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'warren-asked-'));
      try {
        await makeRelease(join(folder, 'release'), release, { instead: 'exit 1', ...options });
        const file = `warren-agent-${release}-linux-${process.arch}.tar.gz`;
        const offer = `asked-${release.replaceAll('.', '-')}`;
        const inbox = '/var/lib/warren-agent/update';
        const put = (name: string, from: string) => machine.put(join(folder, 'release', from), `${inbox}/${name}`);
        await machine.says(`rm -rf ${inbox} && mkdir ${inbox}`);
        await put('manifest.json', 'manifest.json');
        await put('manifest.json.sig', 'manifest.json.sig');
        await put('package.tar.gz', file);
        const request = JSON.stringify({ offer, version: release, back: false });
        await machine.says(`echo '${request}' >${inbox}/request.json && chown -R warren-agent: ${inbox}`);
        await machine.says(`su warren-agent -s /bin/sh -c 'touch /run/warren-agent/update'`);
        await expect.poll(() => machine.says('cat /opt/warren-agent/update.json; true'), soon).toContain(offer);
        await expect.poll(() => machine.says('cat /opt/warren-agent/update.json'), soon).toContain(why);
        expect(await machine.says('warren-agent version')).toBe(first);
        expect(await machine.says('ls /opt/warren-agent/versions | wc -l')).toMatch(/^[12]$/);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  }

  test('resumes a trial that a power cut ended', async ({ enter, warren }) => {
    const page = await enter('superAdmin');
    const rolled = await begin(page, warren.facts.hub, good);
    await expect.poll(() => machine.says('ls /opt/warren-agent/trial 2>/dev/null; true'), soon).not.toBe('');
    await machine.cutPower();
    await expect.poll(async () => (await one(page, rolled))?.state, soon).toBe('updated');
    expect(await machine.says('warren-agent version')).toBe(good);
    await expect.poll(() => machine.says('ls /opt/warren-agent/trial 2>/dev/null; true'), soon).toBe('');
    await unitsAre('newer');
  });
});
