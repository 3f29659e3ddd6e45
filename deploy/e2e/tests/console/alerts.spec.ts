import { expectToast } from '../../pages/dialog.ts';
import { expect, test } from '../../support/test.ts';

/** Conditions are looked at twice a minute, and a rule as well as a device may just have missed a pass. */
const PASSES = 120_000;

test('an alert opens by a rule, is acknowledged, and is over when the rule is disabled', async ({ enter, estate }) => {
  test.setTimeout(360_000);
  const { email } = await estate.owner('Odile Hart');
  await estate.device('pump-house');
  await estate.device('greenhouse');
  const page = await enter(email);
  await page.goto('/alerts/rules');
  await page.getByRole('button', { name: 'New rule' }).click();
  const form = page.getByRole('dialog', { name: 'New rule' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Pump away');
  await form.getByRole('combobox', { name: 'Condition' }).pressSequentially('status=');
  await page.getByRole('option', { name: 'disconnected' }).click();
  await form.getByRole('textbox', { name: 'Time' }).fill('0');
  await form.getByRole('combobox', { name: 'Devices' }).fill('name~pump');
  await expect(form.getByText('Matches 1 device, 1 now.')).toBeVisible();
  await form.getByText('Critical').click();
  await form.getByRole('button', { name: 'Create rule' }).click();
  await expectToast(page, 'Rule created', 'Pump away applies from now on.');
  await expect(page.getByRole('row', { name: 'Pump away' })).toContainText('status=disconnected');

  // Both are shown as they open, without a reload.
  await page.getByRole('navigation', { name: 'Pages of alerts' }).getByRole('link', { name: 'Alerts' }).click();
  const bell = page.getByRole('banner').getByRole('link', { name: /open alert/ });
  const row = page.getByRole('row', { name: 'pump-house' });
  await expect(row).toContainText('Critical', { timeout: PASSES });
  await expect(bell).toHaveAccessibleName('1 open alert');
  await expect(page.getByRole('row', { name: 'greenhouse' })).toHaveCount(0);

  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  const note = page.getByRole('dialog', { name: 'Acknowledge 1 alert' });
  await note.getByRole('textbox', { name: 'Note' }).fill('On my way');
  await note.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(note).toBeHidden();
  await expect(row).toContainText(`${email}: On my way`);
  await expect(bell).toHaveAccessibleName('No open alerts');

  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Open alerts' })).toContainText('Pump away');
  await page.getByRole('link', { name: 'All alerts of this device' }).click();
  await expect(page.getByRole('button', { name: 'Device: pump-house' })).toBeVisible();

  await page.goto('/alerts/rules');
  await page.getByRole('switch', { name: 'Enable Pump away' }).press('Space');
  await expect(page.getByRole('switch', { name: 'Enable Pump away' })).not.toBeChecked();
  await page.goto('/alerts?state=closed');
  await expect(row).toContainText('Pump away', { timeout: PASSES });
});

test('default rules are changed and reset, and a Member sees them only', async ({ enter, estate }) => {
  test.setTimeout(240_000);
  const { email } = await estate.owner('Odile Hart');
  const member = await estate.user('Uma Reed');
  await estate.device('pump-house');
  const page = await enter(email);
  const offline = page.getByRole('row', { name: 'Offline for' });
  await expect(async () => {
    await page.goto('/alerts/rules');
    await expect(offline).toContainText('Offline for 10 minutes', { timeout: 5_000 });
  }).toPass({ timeout: PASSES });
  await page.getByRole('button', { name: 'Offline', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Edit rule' });
  await form.getByRole('textbox', { name: 'Time' }).fill('25');
  await form.getByRole('button', { name: 'Save rule' }).click();
  await expect(offline).toContainText('Offline for 25 minutes');
  await expect(offline).toContainText('Changed');
  await page.getByRole('button', { name: 'Actions for Offline' }).click();
  await expect(page.getByRole('menuitem', { name: 'Delete rule' })).toHaveCount(0);
  await page.getByRole('menuitem', { name: 'Reset to default' }).click();
  await expect(offline).toContainText('Offline for 10 minutes');

  const theirs = await enter(member.email);
  await theirs.goto('/alerts/rules');
  await expect(theirs.getByRole('switch', { name: 'Enable Offline' })).toBeDisabled();
  await expect(theirs.getByRole('button', { name: 'New rule' })).toHaveCount(0);
  await expect(theirs.getByRole('link', { name: 'Channels' })).toHaveCount(0);
});

test('devices are silenced with a reason, and the silence is ended', async ({ enter, estate }) => {
  const { email } = await estate.owner('Odile Hart');
  const page = await enter(email);
  await page.goto('/alerts/silences');
  await page.getByRole('button', { name: 'New silence' }).first().click();
  const form = page.getByRole('dialog', { name: 'New silence' });
  await form.getByRole('combobox', { name: 'Devices' }).fill('name~pump');
  await form.getByRole('combobox', { name: 'For' }).click();
  await page.getByRole('option', { name: '4 hours' }).click();
  await form.getByRole('textbox', { name: 'Reason' }).fill('The pump is replaced');
  await form.getByRole('button', { name: 'Silence devices' }).click();
  const row = page.getByRole('row', { name: 'name~pump' });
  await expect(row).toContainText('The pump is replaced');
  await page.getByRole('button', { name: 'End the silence of name~pump' }).click();
  await expect(page.getByText('No silences')).toBeVisible();
});

test('a channel sends a test by mail, and a webhook shows its secret once', async ({ enter, estate }) => {
  test.setTimeout(120_000);
  const { email } = await estate.owner('Odile Hart');
  const page = await enter(email);
  await page.goto('/alerts/channels');
  const create = async () => {
    await page.getByRole('button', { name: 'New channel' }).first().click();
    return page.getByRole('dialog', { name: 'New channel' });
  };
  const mail = await create();
  await mail.getByRole('textbox', { name: 'Name' }).fill('Owners');
  await mail.getByRole('combobox', { name: 'Addresses' }).fill(email);
  await mail.getByRole('button', { name: 'Create channel' }).click();
  await page.getByRole('button', { name: 'Send test to Owners' }).click();
  await expectToast(page, 'Delivered', 'The test message was delivered to Owners.');
  await expect(page.getByRole('row', { name: 'Owners' }).first()).toContainText('Delivered');

  const hook = await create();
  await hook.getByText('Webhook', { exact: true }).click();
  await hook.getByRole('textbox', { name: 'Name' }).fill('On call');
  await hook.getByRole('textbox', { name: 'URL' }).fill('https://nowhere.invalid/hooks/secret9f3c');
  await hook.getByRole('button', { name: 'Create channel' }).click();
  const secret = page.getByRole('dialog', { name: 'Signing secret' });
  await expect(secret.locator('code')).not.toBeEmpty();
  await secret.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row', { name: 'On call' }).first();
  await expect(row).toContainText('9f3c');
  await expect(row).not.toContainText('secret9f3c');
  await page.getByRole('button', { name: 'Send test to On call' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'was not delivered to On call' })).toBeVisible();
  await expect(row).toContainText('Failed');
});
