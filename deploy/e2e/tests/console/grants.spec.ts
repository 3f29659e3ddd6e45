import { DevicesPage } from '../../pages/devices.ts';
import { TerminalPage } from '../../pages/terminal.ts';
import { connectPumpHouse } from '../../support/connected.ts';
import { expect, measured, test } from '../../support/test.ts';

/** What was withdrawn has to end within this. */
const PROMISED_MS = 2_000;

test('explicit grants take a device from a member whose terminal is open, and a grant gives it back', async ({
  enter,
  estate,
  warren,
}) => {
  test.setTimeout(180_000);
  const [admin, member] = [await estate.user('Ada Field', 'Admins'), await estate.user('Max Field')];
  const boss = await enter('superAdmin');
  const { agent, id } = await connectPumpHouse(boss.request, warren.facts.hub, estate);
  try {
    const terminal = new TerminalPage(await enter(member.email));
    await terminal.openReady(id);

    const page = await enter(admin.email);
    await page.goto(`/access/${estate.id}`);
    await page.getByRole('button', { name: 'Use explicit grants only' }).click();
    const dialog = page.getByRole('dialog', { name: 'Use explicit grants only' });
    await expect(dialog).toContainText('1 of 1 members lose access.');
    await expect(dialog).toContainText('0 of 1 device');
    const answered = page.waitForResponse((response) => response.request().method() === 'PUT');
    await dialog.getByRole('button', { name: 'Switch to explicit grants' }).click();
    await answered;
    const began = performance.now();
    // The page shows that the device is not found.
    await expect(terminal.page.locator('[role=status][data-state=connected]')).toHaveCount(0, { timeout: PROMISED_MS });
    measured('an open terminal ends after the switch', performance.now() - began, 'ms');
    await expect(page.getByText('Explicit grants only', { exact: true })).toBeVisible();

    const own = terminal.page;
    expect((await own.request.get(`/api/devices/${id}`)).status()).toBe(404);
    expect((await own.request.get(`/api/get-socket-token/${id}`)).status()).toBe(404);
    const list = new DevicesPage(own);
    await list.open(estate.id);
    await expect(own.getByText('No devices', { exact: false }).first()).toBeVisible();

    // The grant names a view of the account.
    const view = { sort: 'name', order: 'asc', columns: [] };
    const north = { ...view, name: 'North sites', filter: 'site=north' };
    const saved = await page.request.post('/api/filters', {
      data: { ...north, scope: 'account', account: estate.id },
      headers: { origin: warren.facts.hub },
    });
    const { id: viewId } = ((await saved.json()) as { result: { id: string } }).result;
    const select = (filter: string) =>
      page.request.put(`/api/filters/${viewId}`, { data: { ...north, filter }, headers: { origin: warren.facts.hub } });
    await page.getByRole('button', { name: 'New grant' }).first().click();
    const form = page.getByRole('dialog', { name: 'New grant' });
    await form.getByRole('combobox', { name: 'Who' }).click();
    await page.getByRole('option', { name: 'A person' }).click();
    await form.getByRole('combobox', { name: 'Person' }).click();
    await page.getByRole('option', { name: /^Max Field/ }).click();
    await form.getByRole('combobox', { name: /^Devices/ }).fill('North');
    await page.getByRole('option', { name: 'in:north-sites North sites' }).click();
    await expect(form.getByText('The filter finds 0 devices now.')).toBeVisible();
    await form.getByRole('button', { name: 'Create grant' }).click();
    await expect(page.getByRole('row').filter({ hasText: 'Max Field' })).toContainText('in:north-sites');

    // The member's list follows the label by itself.
    await boss.request.put('/api/devices/labels', {
      data: { ids: [id], set: { site: 'north' }, remove: [] },
      headers: { origin: warren.facts.hub },
    });
    await expect(own.getByRole('row').filter({ hasText: 'Connected' })).toBeVisible();
    await terminal.openReady(id);

    // Another text of the view takes the device, and its first one gives it back.
    expect((await select('site=south')).status()).toBe(200);
    const changed = performance.now();
    await expect(terminal.page.locator('[role=status][data-state=connected]')).toHaveCount(0, { timeout: PROMISED_MS });
    measured(
      'an open terminal ends after another text of a view that its grant names',
      performance.now() - changed,
      'ms',
    );
    expect((await own.request.get(`/api/devices/${id}`)).status()).toBe(404);
    expect((await select('site=north')).status()).toBe(200);
    const gone = await page.request.delete(`/api/filters/${viewId}`, { headers: { origin: warren.facts.hub } });
    expect([gone.status(), await gone.text()]).toEqual([409, expect.stringContaining('the grant for “Max Field”')]);
    await terminal.openReady(id);
    await own.goto(`/devices/${estate.id}/${id}`);
    await expect(own.getByText('view, terminal (by a grant)')).toBeVisible();
    await page.goto(`/devices/${estate.id}/${id}`);
    await page.getByRole('button', { name: 'Show who can reach this device' }).click();
    const reach = page.getByRole('table', { name: 'Who can reach this device' });
    await expect(reach.getByRole('row').filter({ hasText: 'Max Field' })).toContainText(
      'Allowed by grant: Max Field, in:north-sites',
    );
    await expect(reach.getByRole('row').filter({ hasText: 'Ada Field' })).toContainText('Allowed by role Admin');

    // The other way round: what the person reaches.
    await page.goto(`/users/${estate.id}/${member.id}`);
    const reached = page.getByRole('region', { name: 'What this person can reach' });
    await expect(reached).toContainText('1 of 1 device, by grants.');
    await expect(reached.getByRole('row').filter({ hasText: 'Max Field' })).toContainText('in:north-sites: 1 device');
    await page.goto(`/users/${estate.id}/${admin.id}`);
    await expect(reached).toContainText('All 1 device of the account, by role Admin.');
    await expect(reached).toContainText('No grant names this person, their group or everyone.');

    // A grant to manage lets the member act on many devices, and see what became of it.
    await page.request.post(`/api/accounts/${estate.id}/grants`, {
      data: { subject: { kind: 'everyone' }, permissions: ['view', 'manage'], filter: 'site=north' },
      headers: { origin: warren.facts.hub },
    });
    await list.open(estate.id);
    await own.getByRole('checkbox', { name: 'Select pump-house' }).click();
    await own.getByRole('button', { name: 'Actions on 1 device' }).click();
    await expect(own.getByRole('menuitem')).toHaveText(['Reboot', 'Update agent']);
    await own.getByRole('menuitem', { name: 'Update agent' }).click();
    await own.getByRole('dialog').getByRole('button', { name: 'Update' }).click();
    await expect(own.getByRole('region', { name: 'Bulk job progress' })).toContainText('Finished: 0 done, 1 failed');
    await own.goto('/jobs');
    await expect(own.getByText('No open rollout includes the device.')).toBeVisible();
  } finally {
    await agent.remove();
  }
});
