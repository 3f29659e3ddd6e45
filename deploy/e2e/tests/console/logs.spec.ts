import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PrivateJournal } from '@warren/infra/journal';
import { SecondAgent } from '../../support/agent.ts';
import { violations } from '../../support/axe.ts';
import { devices, enrolmentToken } from '../../support/api.ts';
import { expect, test } from '../../support/test.ts';

test("Logs: a device's journal, live, by text, and page by page", async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const account = warren.account('Harbour Lab');
  const known = new Set((await devices(page.request, `account=${account}&limit=200`)).devices.map(({ id }) => id));
  const { command } = await enrolmentToken(page.request, warren.facts.hub, account);
  const agent = await SecondAgent.install(command);
  const folder = await mkdtemp(join(tmpdir(), 'warren-journal-'));
  const journal = await PrivateJournal.make(folder);
  try {
    const old = Array.from({ length: 450 }, (_, i) => ({ message: `old line ${i}.`, unit: 'ssh.service' }));
    await journal.write(...old, { message: 'Accepted key', unit: 'ssh.service', identifier: 'sshd', priority: 3 });
    agent.start({ WARREN_JOURNAL_DIR: folder });
    const all = (await devices(page.request, `account=${account}&limit=200`)).devices;
    const device = all.find(({ id }) => !known.has(id));
    await page.goto(`/device/ssh/${device?.id}`);
    await page.getByRole('button', { name: 'Logs' }).click();
    const lines = page.getByRole('region', { name: /^Logs of/ });
    await expect(lines).toContainText('Accepted key');
    await expect(lines.getByRole('listitem').filter({ hasText: 'Accepted key' })).toContainText('Error');

    const hostile = '<img src=x onerror="document.title=1">\u001b[31mred\u001b]0;x\u0007 \u202egnp.exe';
    await journal.write({ message: hostile, unit: 'evil.service' }, { message: `long${'x'.repeat(1 << 20)}` });
    await expect(lines).toContainText('<img src=x onerror="document.title=1">red␛]0;x␇ \\u{202e}gnp.exe');
    await expect(lines).toContainText('1,008 KiB more');
    await expect(lines.locator('img')).toHaveCount(0);
    await expect.poll(() => violations(page)).toEqual([]);

    await expect(lines.getByText('old line 0.', { exact: true })).toHaveCount(0);
    await expect(async () => {
      await lines.evaluate((box) => box.scrollTo(0, 0));
      await expect(lines.getByText('old line 0.', { exact: true })).toHaveCount(1, { timeout: 500 });
    }).toPass();
    await expect(lines).toContainText('The journal begins here.');
    await page.getByRole('button', { name: 'Latest' }).click();

    await page.getByRole('searchbox', { name: 'Filter by text' }).fill('LINE 44');
    await expect(lines.getByRole('listitem')).toHaveCount(11);
    await journal.write({ message: 'another line 44', unit: 'cron.service' }, { message: 'not this' });
    await expect(lines.getByRole('listitem')).toHaveCount(12);

    await page.getByRole('searchbox', { name: 'Filter by text' }).fill('');
    await page.getByRole('combobox', { name: 'Unit' }).click();
    await page.getByRole('option', { name: 'evil.service' }).click();
    await expect(lines.getByRole('listitem')).toHaveCount(1);
    await expect(lines).toContainText('<img src=x');
    await journal.write(
      { message: 'of another unit', unit: 'cron.service' },
      { message: 'once more', unit: 'evil.service' },
    );
    await expect(lines.getByRole('listitem')).toHaveCount(2);
    await expect(lines).toContainText('once more');
  } finally {
    await agent.remove();
    await journal.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test('Logs: an empty journal is no error, and its lines appear once there are some', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const { command } = await enrolmentToken(page.request, warren.facts.hub, warren.account('Harbour Lab'));
  const agent = await SecondAgent.install(command);
  const folder = await mkdtemp(join(tmpdir(), 'warren-journal-'));
  let journal: PrivateJournal | undefined;
  try {
    agent.start({ WARREN_JOURNAL_DIR: folder });
    await page.goto(`/device/ssh/${await agent.device()}`);
    await page.getByRole('button', { name: 'Logs' }).click();
    await expect(page.getByText('The journal is empty')).toBeVisible();
    await expect(page.getByText('The logs cannot be shown.')).toHaveCount(0);
    await expect.poll(() => violations(page)).toEqual([]);
    journal = await PrivateJournal.make(folder);
    await journal.write({ message: 'the first line', unit: 'ssh.service' });
    await expect(page.getByRole('region', { name: /^Logs of/ })).toContainText('the first line');
  } finally {
    await agent.remove();
    await journal?.close();
    await rm(folder, { recursive: true, force: true });
  }
});
