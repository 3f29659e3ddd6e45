import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { DevicesPage } from '../../pages/devices.ts';
import { SignInPage } from '../../pages/sign-in.ts';
import { TerminalPage } from '../../pages/terminal.ts';
import { devices } from '../../support/api.ts';
import { query } from '../../support/database.ts';
import { makeFleet } from '../../support/fleet.ts';
import { expect, test } from '../../support/test.ts';

const folder = join(import.meta.dirname, '../../../../docs/pictures');
const schemes = ['light', 'dark'] as const;
const named = ['greenhouse-01', 'greenhouse-02', 'weather-mast', 'bench-01', 'crane-gateway'];

async function take(page: Page, name: string, scheme: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(folder, `${name}-${scheme}.png`), animations: 'disabled', caret: 'hide' });
}

test('the pictures of the documentation', async ({ as, browser, baseURL, warren }) => {
  test.setTimeout(300_000);
  const { request } = await as('superAdmin');
  const end = await makeFleet(request, warren.facts.hub, (name) => warren.account(name));
  try {
    const connected = async () => {
      const list = await devices(request, 'limit=200');
      return list.devices.filter(({ status, name }) => status === 'Connected' && named.includes(name)).length;
    };
    await expect.poll(connected, { timeout: 60_000 }).toBe(named.length);
    for (const scheme of schemes) {
      const context = await browser.newContext({ colorScheme: scheme, ...(baseURL && { baseURL }) });
      const stranger = await context.newPage();
      await stranger.goto('/');
      await expect(new SignInPage(stranger).heading).toBeVisible();
      await take(stranger, 'sign-in', scheme);
      await context.close();
      await drawConsole(await as('superAdmin', { colorScheme: scheme }), scheme);
    }
  } finally {
    await end();
    // No call deletes a device yet, and other tests expect this machine alone.
    await query(warren.facts.database, 'DELETE FROM devices.devices WHERE id <> $1', [warren.facts.device.id]);
  }
});

async function drawConsole(page: Page, scheme: (typeof schemes)[number]): Promise<void> {
  await expect(page.getByRole('region', { name: 'Devices' })).toContainText('Connected');
  await take(page, 'home', scheme);

  const list = new DevicesPage(page);
  await list.open();
  await expect(list.row('greenhouse-02')).toContainText('Connected');
  await take(page, 'devices', scheme);

  const console = list.row('greenhouse-02').getByRole('link', { name: /^Open console of/ });
  const path = await console.getAttribute('href');
  const terminal = new TerminalPage(page);
  await terminal.openReady(path?.split('/').at(-1) ?? '');
  await terminal.run(String.raw`PS1='\[\e[1;32m\]\h\[\e[0m\]:\[\e[1;34m\]\w\[\e[0m\]\$ '; clear`);
  await terminal.expectPrompt(10_000, 'greenhouse-02:~#');
  const colours = 'for c in 1 2 3 4 5 6; do printf "\\e[3${c}m warren \\e[9${c}m warren "; done; echo';
  for (const command of [
    'uptime',
    'free -h',
    'df -h /',
    "grep --color=always -E 'Debian|Ubuntu' /etc/os-release",
    colours,
  ]) {
    await terminal.page.keyboard.type(command);
    await terminal.page.keyboard.press('Enter');
    await terminal.expectPrompt(10_000, 'greenhouse-02:~#');
  }
  await take(page, 'terminal', scheme);
}
