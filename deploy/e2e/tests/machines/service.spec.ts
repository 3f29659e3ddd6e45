import type { Page } from '@playwright/test';
import { device, devices, enrolmentToken, getJson, linkId } from '../../support/api.ts';
import { canCarryMachines } from '../../support/engine.ts';
import type { Machine } from '../../support/machine.ts';
import { attachJournal, withMachine } from '../../support/machine.hooks.ts';
import { SOAK } from '../../support/soak.ts';
import { expect, measured, test } from '../../support/test.ts';
import { WireTerminal } from '../../support/wire.ts';

test.describe.configure({ mode: 'serial' });
test.skip(!canCarryMachines, 'needs root and Docker');

const host = `gateway-${process.pid}`;
const connected = { timeout: 60_000 };
const withSettings = 'sudo WARREN_LABELS=site=north,ring=canary WARREN_METRICS=off sh';

/** The agent as a service of a machine, from its installation to its end. */
test.describe('a machine with systemd', () => {
  let machine: Machine;
  let id = '';

  withMachine(host, (started) => void (machine = started));

  // oxlint-disable-next-line no-empty-pattern -- Playwright wants the fixtures before the test
  test.afterEach(({}, info) =>
    attachJournal(machine, info, 'journalctl --no-pager -u "warren-agent*"; ps -eo pid,ppid,user,lstart,args'),
  );

  const command = async (page: Page, hub: string, account: string) =>
    (await enrolmentToken(page.request, hub, account)).command;
  const status = async (page: Page) => (await device(page.request, id)).status;
  const link = (page: Page) => linkId(page.request, id);
  const linked = () => machine.says('warren-agent status || true');

  test('is enrolled by the one line of the console, and shows as Connected', async ({ enter, warren }) => {
    const page = await enter('superAdmin');
    const { account } = warren.facts.device;
    const since = Date.now();
    const line = (await command(page, warren.facts.hub, account)).replace('sudo sh', withSettings);
    const { code, text } = await machine.sh(line);
    expect(text).toContain('Enrolled as device');
    expect(text).toContain('Connected since');
    expect(code).toBe(0);
    measured('installed and connected', Date.now() - since, 'ms');
    const found = async () => (await devices(page.request, `account=${account}&search=${host}`)).devices;
    const words = async () => (await found()).map(({ name, status: word }) => [name, word]);
    await expect.poll(words, connected).toEqual([[host, 'Connected']]);
    id = (await found())[0]?.id ?? '';
    expect((await device(page.request, id)).labels).toEqual({ site: 'north', ring: 'canary' });
  });

  test('runs the agent as a user without a shell, which systemd watches', async () => {
    const shown = await machine.says(
      'systemctl show -p User,Type,ActiveState,SubState,StatusText,WatchdogUSec warren-agent',
    );
    expect(shown.split('\n')).toContain('User=warren-agent');
    expect(shown).toContain('Type=notify');
    expect(shown).toContain('SubState=running');
    expect(shown).toMatch(/WatchdogUSec=[1-9]/);
    await expect.poll(() => machine.says('systemctl show -p StatusText warren-agent')).toContain('Connected to http');
    expect(await machine.says('stat -c %a:%U /var/lib/warren-agent/key.pem')).toBe('600:warren-agent');
    expect(await machine.says('getent passwd warren-agent')).toContain('nologin');
    expect(await machine.says('warren-agent status')).toContain('Connected since');
    for (const unit of ['warren-agent', 'warren-agent-update']) {
      const said = await machine.says(`systemd-analyze security --no-pager ${unit}.service | tail -n 1`);
      expect(Number(/: (\d+\.\d+)/.exec(said)?.[1]), said).toBeLessThanOrEqual(4);
    }
  });

  const open = (page: Page, hub: string) => WireTerminal.ofDevice(page.request, hub, id);

  test('opens a shell of another user, with the name of the person', async ({ enter, warren }) => {
    const terminal = await open(await enter('superAdmin'), warren.facts.hub);
    terminal.type('echo "$(id -un)-$WARREN_USER-$(hostname)"\r');
    await terminal.until(`warren-superadmin@warren.example-${host}`);
    terminal.close();
    await expect.poll(() => machine.sh('pgrep -u warren -x bash').then(({ text }) => text)).toBe('');
  });

  test('keeps the key, the proxy, the agent and other screens from its shells', async ({ enter, warren }) => {
    const page = await enter('superAdmin');
    const first = await open(page, warren.facts.hub);
    first.type('tty | tr / -; stty -echo; echo ready-$((6 * 7))\r');
    await first.until('ready-42');
    const pts = /dev-pts-(\d+)/.exec(first.text)?.[1];
    expect(pts).toBeDefined();
    const second = await open(page, warren.facts.hub);
    const tries = [
      'cat /var/lib/warren-agent/key.pem',
      'rm -f /var/lib/warren-agent/key.pem',
      'cat /opt/warren-agent/network.env',
      'touch /run/warren-agent/reboot',
      'touch /run/warren-agent/update',
      'kill -0 $(systemctl show -p MainPID --value warren-agent)',
      'cat /proc/$(systemctl show -p MainPID --value warren-agent)/environ',
      'curl -s --unix-socket /run/warren-agent-shell.sock http://x/',
      'ls /run/warren-agent-keepers',
      `echo written >/dev/pts/${pts}`,
    ];
    for (const [index, tried] of tries.entries()) {
      second.type(`( ${tried} ) >/dev/null 2>&1; echo "try-${index}=$?"\r`);
      await expect.poll(() => second.text, { message: tried }).toMatch(new RegExp(`try-${index}=\\d`));
      expect(second.text, tried).toMatch(new RegExp(`try-${index}=[1-9]`));
    }
    expect(first.text).not.toContain('written');
    first.close();
    second.close();
    await expect.poll(() => machine.sh('pgrep -u warren -x bash').then(({ text }) => text)).toBe('');
  });

  test('keeps a terminal, and what was started in it, when the agent restarts and when it is killed', async ({
    enter,
    warren,
  }) => {
    const page = await enter('superAdmin');
    const terminal = await open(page, warren.facts.hub);
    terminal.type('nohup sleep 4242 >/dev/null 2>&1 & echo ready-$((6 * 7))\r');
    await terminal.until('ready-42');
    const sleeping = () => machine.sh('pgrep -u warren -f "sleep 4242"').then(({ text }) => text.trimEnd());
    await expect.poll(sleeping, 'the shell resumes before its child runs the program').toMatch(/^\d+$/);
    const pid = await sleeping();
    await machine.says('systemctl restart warren-agent');
    await expect.poll(linked, connected).toContain('Connected since');
    await machine.says('systemctl kill --kill-whom=main -s KILL warren-agent');
    await expect.poll(linked, connected).toContain('Connected since');
    await expect.poll(() => status(page), connected).toBe('Connected');
    expect(await sleeping()).toBe(pid);
    const url = `/api/devices/${id}/terminals`;
    const { terminals } = (await (await page.request.get(url)).json()) as { terminals: { command: string }[] };
    // Others have ended, and nobody has seen it.
    expect(terminals.filter(({ command }) => command !== '')).toHaveLength(1);
    expect(await machine.says('stat -c %a:%U:%G /run/warren-agent-keepers')).toBe('750:root:warren-agent');
    await machine.says(`kill ${pid}; systemctl stop 'warren-agent-shell@*'`);
    await expect.poll(() => machine.sh('pgrep -u warren -x bash').then(({ text }) => text)).toBe('');
    expect(await machine.says('ls /run/warren-agent-keepers')).toBe('');
    terminal.close();
  });

  test('keeps the agent when a shell takes all memory and all processes, and says what ended the shell', async ({
    enter,
    warren,
  }) => {
    const page = await enter('superAdmin');
    const drop = '/run/systemd/system/warren-agent-shell@.service.d';
    await machine.says(`mkdir -p ${drop} && printf '[Service]\\nMemoryMax=64M\\nTasksMax=64\\n' >${drop}/small.conf`);
    await machine.says('systemctl daemon-reload');
    const before = await machine.says('systemctl show -p MainPID --value warren-agent');
    const greedy = await open(page, warren.facts.hub);
    greedy.type('for n in $(seq 60); do tail /dev/zero & done; wait; echo still-$((6 * 7))\r');
    await greedy.until('still-42');
    greedy.type('exec tail /dev/zero\r');
    await greedy.until('it was ended for want of memory');
    greedy.close();
    const bomb = await open(page, warren.facts.hub);
    bomb.type(':(){ :|:& };:\r');
    await bomb.until('Resource temporarily unavailable');
    expect(await machine.says('warren-agent status')).toContain('Connected since');
    expect(await machine.says('systemctl show -p MainPID --value warren-agent')).toBe(before);
    // A container may not give its agent less than what it has itself; its shells still go first.
    const score = (pid: string) => machine.says(`cat /proc/${pid}/oom_score_adj`).then(Number);
    expect(await machine.says('systemctl show -p OOMScoreAdjust --value warren-agent')).toBe('-500');
    expect(await score(before)).toBeLessThan(await score('$(pgrep -u warren -x bash | head -n 1)'));
    bomb.close();
    await machine.says(
      `until ! pgrep -u warren >/dev/null; do pkill -KILL -u warren; done; rm -r ${drop}; systemctl daemon-reload`,
    );
  });

  test('stays linked when its key is changed at the command line, as written in the handbook', async ({ enter }) => {
    const page = await enter('superAdmin');
    const key = await machine.says('sha256sum /var/lib/warren-agent/key.pem');
    expect(await machine.says('sudo warren-agent rotate-key')).toContain('The hub has taken the new key');
    expect(await machine.says('sha256sum /var/lib/warren-agent/key.pem')).not.toBe(key);
    await machine.says('systemctl restart warren-agent');
    await expect.poll(linked, connected).toContain('Connected since');
    // What an older version, or a person, left as root's is given back.
    await machine.says('chown root: /var/lib/warren-agent/key.pem && systemctl restart warren-agent');
    expect(await machine.says('warren-agent status --wait 30')).toContain('Connected since');
    expect(await machine.says("su warren -s /bin/sh -c 'warren-agent status'")).toContain('Connected since');
    await expect.poll(() => status(page), connected).toBe('Connected');
  });

  test('is examined, and takes settings, as written in the handbook', SOAK, async ({ enter }) => {
    const page = await enter('superAdmin');
    const before = await link(page);
    expect(await machine.says('sudo warren-agent doctor')).toContain('is fine.');
    expect(await machine.says("su warren -s /bin/sh -c 'warren-agent doctor'")).toMatch(/key +skipped/);
    expect(await link(page)).toBe(before);
    expect(await machine.says('sudo warren-agent set name "Pump 7"')).toContain('is now Pump 7');
    await expect.poll(async () => (await device(page.request, id)).name, connected).toBe('Pump 7');
    await machine.says('sudo warren-agent set name none');
    await expect.poll(async () => (await device(page.request, id)).name, connected).toBe(host);
    expect(await machine.says('sudo warren-agent set proxy http://127.0.0.1:9')).toContain('The agent restarts');
    await expect.poll(linked, connected).toContain('connection: nothing listens');
    expect(await machine.says('stat -c %a:%U:%G /opt/warren-agent/network.env')).toBe('640:root:warren-agent');
    await machine.says('sudo warren-agent set proxy none');
    expect(await machine.says('warren-agent status --wait 30')).toContain('Connected since');
    await machine.says('sudo warren-agent set shell-user daemon');
    expect(await machine.says('cat /opt/warren-agent/shell-user')).toBe('daemon');
    await machine.says('sudo warren-agent set shell-user warren && warren-agent status --wait 30');
    expect(await machine.says('head -n 1 /usr/local/share/man/man8/warren-agent.8')).toContain('.TH WARREN');
    await expect.poll(() => status(page), connected).toBe('Connected');
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

  test('is upgraded, and then removed, in its own terminal, which closes over it', async ({ enter, warren }) => {
    const page = await enter('superAdmin');
    await machine.says('echo "warren ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/warren');
    const upgraded = await open(page, warren.facts.hub);
    const before = await link(page);
    upgraded.type(`${await command(page, warren.facts.hub, warren.facts.device.account)}\r`);
    await upgraded.until('The upgrade finishes without it.');
    await expect.poll(async () => ['', before].includes(await link(page)), connected).toBe(false);
    await expect.poll(linked, connected).toContain('Connected since');
    expect(await machine.says('ls /opt/warren-agent/versions | wc -l')).toBe('1');
    const ended = (unit: string) => machine.says(`journalctl -q --no-pager -u ${unit}`);
    await expect
      .poll(() => ended('warren-agent-upgrade'))
      .toContain('warren-agent-upgrade.service: Deactivated success');

    await expect.poll(() => status(page), connected).toBe('Connected');
    // Installed minutes ago, with a sample each minute but for the setting, which the upgrades kept.
    expect(await getJson(page.request, `/api/devices/${id}/metrics`)).toMatchObject({ series: [] });
    const removed = await open(page, warren.facts.hub);
    removed.type('sudo warren-agent uninstall --yes\r');
    await removed.until('The removal finishes without it');
    const gone = 'systemctl is-active warren-agent-uninstall; ls -d /opt/warren-agent 2>/dev/null; true';
    await expect.poll(() => machine.says(gone), connected).toBe('inactive');
    await expect
      .poll(() => ended('warren-agent-uninstall'))
      .toContain('warren-agent-uninstall.service: Deactivated success');
    await machine.says('rm /etc/sudoers.d/warren');
    const left =
      'ls -d /opt/warren-agent /var/lib/warren-agent /home/warren /usr/local/bin/warren-agent /usr/local/share/man/man8/warren-agent.8 2>/dev/null; ls -R /etc/systemd/system | grep warren; getent passwd warren warren-agent; pgrep -x node';
    expect((await machine.sh(`${left}; true`)).text).toBe('');
    await expect.poll(() => status(page), connected).toBe('Disconnected');
  });

  test('opens shells of the configured user, through PAM, and records for whom', async ({ enter, warren }) => {
    const page = await enter('superAdmin');
    await machine.says('useradd --create-home --shell /bin/bash ada');
    const line = await command(page, warren.facts.hub, warren.facts.device.account);
    // A strict umask of root's must not keep the agent from its own program.
    const { text } = await machine.sh(`umask 077; ${line.replace('sudo sh', 'sudo WARREN_SHELL_USER=ada sh')}`);
    expect(text).toContain('Shells open as ada.');
    const own = /Enrolled as device (\S+)/.exec(text)?.[1] ?? '';
    const terminal = await WireTerminal.ofDevice(page.request, warren.facts.hub, own);
    terminal.type('echo "$(id -un)-$WARREN_USER-$PWD"\r');
    await terminal.until('ada-superadmin@warren.example-/home/ada');
    const journal = (wanted: string) => machine.says(`journalctl -q --no-pager -o cat ${wanted}`);
    await expect.poll(() => journal('-t su')).toContain('session opened for user ada');
    await expect
      .poll(() => journal('-u warren-agent | grep "terminal opened"'))
      .toContain('"user":"superadmin@warren.example"');
    terminal.close();
    await expect.poll(() => machine.sh('pgrep -u ada').then((said) => said.text)).toBe('');
    await machine.says('warren-agent uninstall --yes && userdel --remove ada 2>/dev/null');
  });
});
