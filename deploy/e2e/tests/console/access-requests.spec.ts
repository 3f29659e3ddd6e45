import { SignInPage } from '../../pages/sign-in.ts';
import { TerminalPage } from '../../pages/terminal.ts';
import { connectPumpHouse } from '../../support/connected.ts';
import { query } from '../../support/database.ts';
import { mailsTo } from '../../support/mail.ts';
import { expect, measured, test } from '../../support/test.ts';

/** What has expired has to end within this. */
const PROMISED_MS = 2_000;

test('a member asks for access, an approver signs in again and approves, and the access ends by itself', async ({
  enter,
  estate,
  office,
  warren,
}) => {
  test.setTimeout(240_000);
  const { hub, database, mail } = warren.facts;
  const [admin, member] = [await estate.user('Ada Field', 'Admins'), await estate.user('Max Field')];
  const recent = { minutes: 5, terminals: false, manage: false, grants: true };
  const rules = { requests: true, longest_minutes: 60, approver_group: null, second_approver: false };
  await office.call('PUT', `/api/accounts/${estate.id}/access`, { mode: 'explicit' });
  await office.call('PUT', `/api/accounts/${estate.id}/access/rules`, { ...rules, recent_sign_in: recent });
  const group = { kind: 'everyone' };
  await office.call('POST', `/api/accounts/${estate.id}/grants`, { subject: group, permissions: ['view'], filter: '' });
  // Shorter than people may set, so that the sign-in of the approver soon is too old.
  await query(database, 'UPDATE tenancy.access_rules SET recent_minutes = 1 WHERE account_id = $1', [estate.id]);
  const approver = await enter(admin.email);
  const boss = await enter('superAdmin');
  const { agent, id } = await connectPumpHouse(boss.request, hub, estate);
  try {
    const page = await enter(member.email);
    expect((await page.request.get(`/api/get-socket-token/${id}`)).status()).toBe(403);
    await page.goto(`/devices/${estate.id}/${id}`);
    await page.getByRole('button', { name: 'Ask for access' }).click();
    const form = page.getByRole('dialog', { name: 'Ask for access' });
    await expect(form.getByRole('textbox', { name: 'Device' })).toHaveValue('pump-house');
    await form.getByRole('textbox', { name: 'Reason' }).fill('The pump stops at night');
    await form.getByRole('button', { name: 'Send request' }).click();
    await expect(page.getByText('access request successfully created')).toBeVisible();
    await expect.poll(async () => (await mailsTo(mail, admin.email))[0] ?? '').toContain('The pump stops at night');
    const [, link = ''] = /(https?:\S+\/requests\/\S+)/.exec((await mailsTo(mail, admin.email))[0] ?? '') ?? [];

    // It leaves the mode as it is, and is refused once the sign-in is a minute old.
    const mode = { data: { mode: 'explicit' }, headers: { origin: hub } };
    const tried = async () => (await approver.request.put(`/api/accounts/${estate.id}/access`, mode)).status();
    await expect.poll(tried, { timeout: 90_000, intervals: [2_000] }).toBe(403);
    await approver.goto(link);
    await expect(approver.getByRole('link', { name: /^Requests.*1 to decide$/ })).toBeVisible();
    const decision = approver.getByRole('dialog', { name: 'Decide about a request' });
    await expect(decision).toContainText('Max Field asks for terminal on pump-house.');
    await decision.getByRole('button', { name: 'Approve' }).click();
    const again = approver.getByRole('dialog', { name: 'Sign in again' });
    await again.getByRole('button', { name: 'Sign in again' }).click();
    await new SignInPage(approver).type(admin.email);
    await decision.getByRole('combobox', { name: 'Approve for' }).click();
    await approver.getByRole('option', { name: '15 minutes' }).click();
    // Both are shown for 5 seconds only.
    await Promise.all([
      expect(approver.getByText('access request successfully approved')).toBeVisible(),
      expect(page.getByText('Your access request was approved')).toBeVisible(),
      decision.getByRole('button', { name: 'Approve' }).click(),
    ]);
    const terminal = new TerminalPage(page);
    await terminal.openReady(id);
    await query(database, `UPDATE tenancy.grants SET expires = now() WHERE account_id = $1 AND source = 'request'`, [
      estate.id,
    ]);
    const began = performance.now();
    await expect(page.locator('[role=status][data-state=connected]')).toHaveCount(0, { timeout: PROMISED_MS });
    measured('an open terminal ends after its access has expired', performance.now() - began, 'ms');
    const opens = async () => (await page.request.get(`/api/get-socket-token/${id}`)).status();
    await expect.poll(opens, { timeout: PROMISED_MS }).toBe(403);
  } finally {
    await agent.remove();
  }
});
