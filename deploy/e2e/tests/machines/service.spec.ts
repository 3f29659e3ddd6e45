import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { device, devices, enrolmentToken, socketToken } from '../../support/api.ts';
import { query } from '../../support/database.ts';
import { canCarryMachines, Engine } from '../../support/engine.ts';
import { Machine } from '../../support/machine.ts';
import { openSocket } from '../../support/socket.ts';
import { expect, measured, test } from '../../support/test.ts';
import { WireTerminal } from '../../support/wire.ts';

test.describe.configure({ mode: 'serial' });
test.skip(!canCarryMachines, 'needs root and Docker');

const host = `gateway-${process.pid}`;
const connected = { timeout: 60_000 };
/** Says nothing where no agent was installed. */
const untouched = 'ls /opt; ls -d /var/lib/warren-agent 2>/dev/null; getent passwd warren; true';

/** The agent as a service of a machine, from its installation to its end. */
test.describe('a machine with systemd', () => {
  let engine: Engine;
  let machine: Machine;
  let id = '';

  test.beforeAll(async () => {
    test.setTimeout(300_000);
    engine = await Engine.start();
    machine = await Machine.start(engine, host);
  });

  test.afterAll(async () => {
    await machine?.remove();
    await engine?.stop();
  });

  const command = async (page: Page, hub: string, account: string) =>
    (await enrolmentToken(page.request, hub, account)).command;
  const status = async (page: Page) => (await device(page.request, id)).status;
  const link = async (page: Page) => {
    const response = await page.request.get(`/socketsio/get_device_info/${id}`);
    return response.ok() ? ((await response.json()) as { device_sid: string }).device_sid : '';
  };

  test('is enrolled by the one line of the console, and shows as Connected', async ({ enter, warren }) => {
    const page = await enter('superAdmin');
    const { account } = warren.facts.device;
    const since = Date.now();
    const { code, text } = await machine.sh(await command(page, warren.facts.hub, account));
    expect(text).toContain('Enrolled as device');
    expect(text).toContain('Connected since');
    expect(code).toBe(0);
    measured('installed and connected', Date.now() - since, 'ms');
    const found = async () => (await devices(page.request, `account=${account}&search=${host}`)).devices;
    const words = async () => (await found()).map(({ name, status: word }) => [name, word]);
    await expect.poll(words, connected).toEqual([[host, 'Connected']]);
    id = (await found())[0]?.id ?? '';
  });

  test('runs the agent as a user of its own, which systemd watches', async () => {
    const shown = await machine.says(
      'systemctl show -p User,Type,ActiveState,SubState,StatusText,WatchdogUSec warren-agent',
    );
    expect(shown).toContain('User=warren');
    expect(shown).toContain('Type=notify');
    expect(shown).toContain('SubState=running');
    expect(shown).toMatch(/WatchdogUSec=[1-9]/);
    await expect.poll(() => machine.says('systemctl show -p StatusText warren-agent')).toContain('Connected to http');
    expect(await machine.says('stat -c %a:%U /var/lib/warren-agent/key.pem')).toBe('600:warren');
    expect(await machine.says('warren-agent status')).toContain('Connected since');
  });

  test('opens a shell of that user, with the name of the person', async ({ enter, warren }) => {
    const page = await enter('superAdmin');
    const token = await socketToken(page.request, id);
    const terminal = await WireTerminal.open(await openSocket(warren.facts.hub, token), token);
    terminal.type('echo "$(id -un)-$WARREN_USER-$(hostname)"\r');
    await terminal.until(`warren-superadmin@warren.example-${host}`);
    terminal.close();
    await expect.poll(() => machine.sh('pgrep -u warren -x bash').then(({ text }) => text)).toBe('');
  });

  test('has the agent back when it is killed, and when it hangs', async ({ enter }) => {
    const page = await enter('superAdmin');
    for (const signal of ['KILL', 'STOP']) {
      const before = await link(page);
      if (signal === 'STOP') {
        // As in the unit, in less time.
        const drop = '/run/systemd/system/warren-agent.service.d';
        await machine.says(
          `mkdir -p ${drop} && printf '[Service]\\nWatchdogSec=4\\nTimeoutAbortSec=2\\n' >${drop}/quick.conf`,
        );
        await machine.says('systemctl daemon-reload && systemctl restart warren-agent');
        await expect.poll(() => link(page), connected).not.toBe(before);
        await expect.poll(() => status(page), connected).toBe('Connected');
      }
      const now = await link(page);
      const since = Date.now();
      await machine.says(`systemctl kill --kill-whom=main -s ${signal} warren-agent`);
      await expect.poll(async () => ['', now].includes(await link(page)), connected).toBe(false);
      await expect.poll(() => status(page), connected).toBe('Connected');
      measured(`back after SIG${signal}`, Date.now() - since, 'ms');
    }
  });

  test('reboots when the button is pressed, and comes back', async ({ enter, warren }) => {
    const page = await enter('superAdmin');
    const headers = { origin: warren.facts.hub };
    const response = await page.request.post(`/api/devices/${id}/reboot`, { headers });
    expect(response.ok()).toBe(true);
    await machine.comeBack();
    await expect.poll(() => status(page), connected).toBe('Connected');
  });

  test('is upgraded, not enrolled again, by the same line', async ({ enter, warren }) => {
    const page = await enter('superAdmin');
    const key = await machine.says('sha256sum /var/lib/warren-agent/key.pem');
    const { code, text } = await machine.sh(await command(page, warren.facts.hub, warren.facts.device.account));
    expect(text).toContain(`Already enrolled as device ${id}`);
    expect(code).toBe(0);
    expect(await machine.says('sha256sum /var/lib/warren-agent/key.pem')).toBe(key);
  });

  test('has nothing of it left after warren-agent uninstall', async ({ enter }) => {
    const page = await enter('superAdmin');
    expect(await machine.says('warren-agent uninstall --yes')).toContain('The agent is gone.');
    const left =
      'ls -d /opt/warren-agent /var/lib/warren-agent /home/warren /usr/local/bin/warren-agent 2>/dev/null; ls /etc/systemd/system | grep warren; getent passwd warren; pgrep -x node';
    expect((await machine.sh(`${left}; true`)).text).toBe('');
    await expect.poll(() => status(page), connected).toBe('Disconnected');
  });

  test('opens shells of the user that it was told, through PAM, and writes down for whom', async ({
    enter,
    warren,
  }) => {
    const page = await enter('superAdmin');
    await machine.says('useradd --create-home --shell /bin/bash ada');
    const line = await command(page, warren.facts.hub, warren.facts.device.account);
    const { text } = await machine.sh(line.replace('sudo sh', 'sudo WARREN_SHELL_USER=ada sh'));
    expect(text).toContain('Shells open as ada.');
    const own = /Enrolled as device (\S+)/.exec(text)?.[1] ?? '';
    const token = await socketToken(page.request, own);
    const terminal = await WireTerminal.open(await openSocket(warren.facts.hub, token), token);
    terminal.type('echo "$(id -un)-$WARREN_USER-$PWD"\r');
    await terminal.until('ada-superadmin@warren.example-/home/ada');
    const journal = (wanted: string) => machine.says(`journalctl -q --no-pager -o cat ${wanted}`);
    await expect.poll(() => journal('-t login')).toContain('session opened for user ada');
    await expect
      .poll(() => journal('-u warren-agent | grep "terminal opened"'))
      .toContain('"user":"superadmin@warren.example"');
    terminal.close();
    await expect.poll(() => machine.sh('pgrep -u ada').then((said) => said.text)).toBe('');
    await machine.says('warren-agent uninstall --yes && userdel --remove ada 2>/dev/null');
  });

  const tokens: [string, string, RegExp][] = [
    ['an expired token', "expires = now() - interval '1 s'", /^warren: Enrolment token: expired\. .*Add device/],
    ['a used token', 'uses_left = 0', /^warren: Enrolment token: used up\. .*Add device/],
  ];
  for (const [what, change, expected] of tokens) {
    test(`stops at ${what} in one line, and changes nothing`, async ({ enter, warren }) => {
      const page = await enter('superAdmin');
      const line = await command(page, warren.facts.hub, warren.facts.device.account);
      const hash = createHash('sha256')
        .update(/token=([\w-]+)/.exec(line)?.[1] ?? '')
        .digest();
      const made = `UPDATE devices.enrolment_tokens SET ${change} WHERE hash = $1 RETURNING id`;
      const changed = await query(warren.facts.database, made, [hash]);
      expect(changed).toHaveLength(1);
      const { code, text } = await machine.sh(line);
      expect(text.trim()).toMatch(expected);
      expect(text.trim().split('\n')).toHaveLength(1);
      expect(code).toBe(77);
      expect(await machine.says(untouched)).toBe('');
    });
  }

  const bad: [string, string, number, RegExp][] = [
    ['a full disk', 'mount -t tmpfs -o size=20m tmpfs /opt', 73, /\/opt has \d+ MB left; the agent needs \d+ MB there/],
    [
      'a read-only file system',
      'mount -t tmpfs -o ro tmpfs /opt',
      73,
      /can't write to \/opt: it is read-only, or full/,
    ],
    ['no room for its state', 'mount -t tmpfs -o ro tmpfs /var/lib', 73, /can't write to \/var\/lib/],
  ];
  for (const [what, made, status73, expected] of bad) {
    test(`stops at ${what} in one line, and changes nothing`, async ({ enter, warren }) => {
      const page = await enter('superAdmin');
      const line = await command(page, warren.facts.hub, warren.facts.device.account);
      const mounted = made.split(' ').at(-1) ?? '';
      await machine.says(made);
      try {
        // The status of a pipe is that of its last program.
        const { code, text } = await machine.sh(line);
        expect(text.trim()).toMatch(expected);
        expect(text.trim().split('\n')).toHaveLength(1);
        expect(code).toBe(status73);
      } finally {
        await machine.says(`umount ${mounted}`);
      }
      expect(await machine.says(untouched)).toBe('');
    });
  }
});
