import { HookServer } from '@warren/infra/hook-server';
import { expect, test } from '../../support/test.ts';

test('an owner streams the events of the account to a webhook, tests it, and sets the retention', async ({
  enter,
  estate,
  office,
}) => {
  const hooks = await new HookServer().start();
  try {
    const boss = await enter('superAdmin');
    await boss.goto(`/audit?account=${estate.id}`);
    await boss.getByRole('link', { name: 'Streams and retention' }).click();
    await boss.getByRole('button', { name: 'New stream' }).first().click();
    const form = boss.getByRole('dialog', { name: 'New stream' });
    await form.getByText('Webhook', { exact: true }).click();
    await form.getByRole('textbox', { name: /^Name/ }).fill('SIEM');
    await form.getByRole('textbox', { name: /^URL/ }).fill(`${hooks.url}/events`);
    await form.getByRole('button', { name: 'Create stream' }).click();
    const secret = boss.getByRole('dialog', { name: 'Signing secret' });
    await expect(secret).toContainText('whsec_');
    await secret.getByRole('button', { name: 'Done' }).click();

    const row = boss.getByRole('row').filter({ hasText: 'SIEM' });
    await row.getByRole('button', { name: 'Send test to SIEM' }).click();
    await expect(boss.getByText('SIEM took the test message.')).toBeVisible();

    const name = `Crew ${Date.now()}`;
    await office.call('POST', '/api/groups/new', { name, role: 'Member', account: estate.id });
    await expect.poll(() => hooks.posted.some(({ body }) => body.includes(name))).toBe(true);
    await expect(row).toContainText('Delivering');

    hooks.status(503);
    await boss.getByRole('textbox', { name: /^Months/ }).fill('36');
    await boss.getByRole('button', { name: 'Save retention' }).click();
    await expect(boss.getByText('Retention saved')).toBeVisible();
    await expect(row).toContainText('Failing');
    await expect(row).toContainText('The receiver answered 503.');
  } finally {
    await hooks.stop();
  }
});
