import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { enrolmentToken } from '../../support/api.ts';
import { query } from '../../support/database.ts';
import { canCarryMachines } from '../../support/engine.ts';
import type { Machine } from '../../support/machine.ts';
import { withMachine } from '../../support/machine.hooks.ts';
import { SOAK } from '../../support/soak.ts';
import { expect, test } from '../../support/test.ts';

test.describe.configure({ mode: 'serial' });
test.skip(!canCarryMachines, 'needs root and Docker');

/** Says nothing where no agent was installed. */
const untouched =
  'ls /opt; ls -d /var/lib/warren-agent 2>/dev/null; getent passwd warren warren-agent; ls /etc/systemd/system | grep warren; true';

/** What the installer refuses on a machine without an agent. */
test.describe('an installation', () => {
  let machine: Machine;

  withMachine(`bare-${process.pid}`, (started) => void (machine = started));

  const command = async (page: Page, hub: string, account: string) =>
    (await enrolmentToken(page.request, hub, account)).command;

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
    ['a read-only file system', 'mount -t tmpfs -o ro tmpfs /opt', 73, /can't write to \/opt: Read-only file system/],
    [
      'programs that may not start',
      'mount -t tmpfs -o noexec tmpfs /opt',
      71,
      /\/opt is mounted noexec, and the agent runs from \/opt\/warren-agent: .*WARREN_PREFIX/,
    ],
    [
      'homes that can not be made',
      'mount -t tmpfs -o ro tmpfs /home',
      73,
      /can't write to \/home: Read-only file system; .*WARREN_SHELL_USER/,
    ],
    [
      'units that can not be written',
      'mount -t tmpfs -o ro tmpfs /etc/systemd/system',
      73,
      /can't write to \/etc\/systemd\/system: Read-only file system/,
    ],
    ['no room for its state', 'mount -t tmpfs -o ro tmpfs /var/lib', 73, /can't write to \/var\/lib/],
  ];
  for (const [what, made, status, expected] of bad) {
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
        expect(code).toBe(status);
      } finally {
        await machine.says(`umount ${mounted}`);
      }
      expect(await machine.says(untouched)).toBe('');
    });
  }

  test('does without /usr/local where that is read-only', SOAK, async ({ enter, warren }) => {
    const page = await enter('superAdmin');
    const line = await command(page, warren.facts.hub, warren.facts.device.account);
    const folders = 'mkdir /usr/local/bin /usr/local/share';
    await machine.says(`mount -t tmpfs tmpfs /usr/local && ${folders} && mount -o remount,ro /usr/local`);
    try {
      const { code, text } = await machine.sh(line);
      expect(text).toContain("/usr/local/bin can't be written: the command is /opt/warren-agent/bin/warren-agent.");
      expect(text).toContain('Connected since');
      expect(code).toBe(0);
      await machine.says('/opt/warren-agent/bin/warren-agent uninstall --yes');
    } finally {
      await machine.says('umount /usr/local');
    }
    expect(await machine.says(untouched)).toBe('');
  });
});
