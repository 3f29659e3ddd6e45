import type { Page } from '@playwright/test';
import { device, devices, enrolmentToken, linkId } from '../../support/api.ts';
import { canCarryMachines } from '../../support/engine.ts';
import type { Machine } from '../../support/machine.ts';
import { withMachine } from '../../support/machine.hooks.ts';
import { SOAK } from '../../support/soak.ts';
import { expect, test } from '../../support/test.ts';
import { WireTerminal } from '../../support/wire.ts';

test.describe.configure({ mode: 'serial' });
test.skip(!canCarryMachines, 'needs root and Docker');

const host = `handbook-${process.pid}`;
const connected = { timeout: 60_000 };

/** What an administrator does on a machine with the agent, and what becomes of its disk. */
test.describe('the administrator of a machine with systemd', () => {
  let machine: Machine;
  let id = '';

  withMachine(host, (started) => void (machine = started));

  const status = async (page: Page) => (await device(page.request, id)).status;
  const link = (page: Page) => linkId(page.request, id);
  const open = (page: Page, hub: string) => WireTerminal.ofDevice(page.request, hub, id);

  test('installs the agent', async ({ enter, warren }) => {
    const page = await enter('superAdmin');
    const { account } = warren.facts.device;
    const { command } = await enrolmentToken(page.request, warren.facts.hub, account);
    expect(await machine.says(command)).toContain('Connected since');
    id = (await devices(page.request, `account=${account}&search=${host}`)).devices[0]?.id ?? '';
    await expect.poll(() => status(page), connected).toBe('Connected');
  });

  test('gets an answer to what the handbook says to type', async ({ enter, warren }) => {
    const says = (command: string) => expect.poll(() => machine.says(command), connected);
    await says('systemctl status --no-pager warren-agent').toContain('Status: "Connected to http');
    await says('journalctl --no-pager -u warren-agent').toContain('linked with the hub');
    // An editor that writes what it is named after; systemctl wants a terminal to edit at.
    await machine.says(
      `printf '#!/bin/sh\nprintf "$TEXT" >"$1"\n' >/usr/local/bin/writes && chmod 755 /usr/local/bin/writes`,
    );
    const edit = (unit: string, text: string) =>
      machine.says(`TEXT='${text}' SYSTEMD_EDITOR=writes script -qec 'systemctl edit ${unit}' /dev/null </dev/null`);
    await edit('warren-agent-shell@.service', '[Service]\\nMemoryMax=100M\\n');
    await edit('warren-shells.slice', '[Slice]\\nCPUWeight=42\\n');
    await edit('warren-agent', '[Service]\\nNice=3\\n');
    // What is set so stays when the units are written again.
    await machine.says('rm /etc/systemd/system/warren-agent-shell@.service && systemctl restart warren-agent');
    expect(await machine.says('warren-agent status --wait 30')).toContain('Connected since');
    expect(await machine.says('systemctl show -p Nice --value warren-agent')).toBe('3');
    expect(await machine.says('systemctl show -p CPUWeight --value warren-shells.slice')).toBe('42');
    const page = await enter('superAdmin');
    await expect.poll(() => status(page), connected).toBe('Connected');
    const terminal = await open(page, warren.facts.hub);
    terminal.type('echo ready-$((6 * 7))\r');
    await terminal.until('ready-42');
    const unit = "$(systemctl list-units --plain --no-legend 'warren-agent-shell@*' | cut -d ' ' -f 1 | head -n 1)";
    expect(await machine.says(`systemctl show -p MemoryMax --value "${unit}"`)).toBe(String(100 << 20));
    terminal.close();
    await machine.says('systemctl revert warren-agent-shell@.service warren-shells.slice warren-agent');
    expect(await machine.says('ls -d /etc/systemd/system/warren*.d 2>/dev/null || true')).toBe('');
    await machine.says('rm /usr/local/bin/writes && systemctl restart warren-agent');
    await expect.poll(() => machine.says('warren-agent status || true'), connected).toContain('Connected since');
  });

  for (const [disk, made] of [
    ['full', 'dd if=/dev/zero of=/var/lib/warren-agent/more bs=4k count=100 2>/dev/null || true'],
    ['read-only', 'mount -o remount,ro /var/lib/warren-agent'],
  ] as const) {
    test(`has the agent start again on a disk that is ${disk}, and open shells`, SOAK, async ({ enter, warren }) => {
      const page = await enter('superAdmin');
      const state = '/var/lib/warren-agent';
      const others = '/opt /home /etc/systemd/system';
      await machine.says(`cp -a ${state} /root/state && mount -t tmpfs -o size=64k tmpfs ${state}`);
      await machine.says(`cp -a /root/state/. ${state} && ${made}`);
      await machine.says(`for d in ${others}; do mount --bind $d $d && mount -o remount,ro,bind $d; done`);
      try {
        const before = await link(page);
        await machine.says('systemctl restart warren-agent-setup warren-agent');
        await expect.poll(async () => ['', before].includes(await link(page)), connected).toBe(false);
        await expect.poll(() => status(page), connected).toBe('Connected');
        const terminal = await open(page, warren.facts.hub);
        terminal.type('echo ready-$((6 * 7))\r');
        await terminal.until('ready-42');
        terminal.close();
      } finally {
        await machine.says(`systemctl stop warren-agent; umount ${others} ${state}; rm -r /root/state`);
        await machine.says('systemctl start warren-agent');
      }
      await expect.poll(() => machine.says('warren-agent status || true'), connected).toContain('Connected since');
      await expect.poll(() => status(page), connected).toBe('Connected');
    });
  }
});
