import { expectToast } from '../../pages/dialog.ts';
import { SecondAgent } from '../../support/agent.ts';
import { enrolmentToken } from '../../support/api.ts';
import { startRollout } from '../../support/rollouts.ts';
import { expect, test } from '../../support/test.ts';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

test('a rollout waits for the update window of an account, and a person does not', async ({
  enter,
  warren,
  office,
  estate,
}) => {
  test.setTimeout(240_000);
  const page = await enter('superAdmin');
  const { hub } = warren.facts;
  const { command } = await enrolmentToken(page.request, hub, estate.id);
  const agent = await SecondAgent.install(command, 'greenhouse');
  try {
    await agent.pretend('0.0.9');
    agent.start();

    await page.goto(`/devices/${estate.id}`);
    await expect(page.getByRole('row', { name: 'greenhouse' })).toContainText('Connected');
    await page.getByRole('button', { name: 'Account pages' }).click();
    await page.getByRole('menuitem', { name: 'Update window' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Update window of ${estate.name}`);
    await page.getByText('In a window').click();
    // Never now, in whatever time zone.
    const opens = DAYS[(new Date().getUTCDay() + 3) % 7] ?? '';
    for (const day of DAYS) await page.getByRole('checkbox', { name: day }).setChecked(day === opens);
    await page.getByRole('button', { name: 'Save window' }).click();
    await expectToast(page, 'update window successfully changed', 'Rollouts follow it from now on.');
    await expect(page.getByText(`The window is closed. It opens ${opens}`)).toBeVisible();
    const audited = async () => {
      const path = `/api/audit/events?account=${estate.id}&action=update_window.change`;
      const { events } = await office.call<{ events: { changes: { field: string; after: unknown }[] }[] }>('GET', path);
      return Object.fromEntries((events[0]?.changes ?? []).map(({ field, after }) => [field, after]));
    };
    await expect.poll(audited).toMatchObject({ days: [DAYS.indexOf(opens) || 7], from: '02:00', to: '05:00' });

    const { releases } = await office.call<{ releases: { version: string }[] }>('GET', '/api/updates/releases');
    const version = releases[0]?.version ?? '';
    await startRollout(page.request, hub, { version, account: estate.id });
    await page.goto('/updates');
    const card = page
      .getByRole('article', { name: `Devices of the rollout of ${version}` })
      .filter({ hasText: estate.name });
    await expect(card).toContainText(`1 device waits for its update window; the next one opens ${opens}`);
    await card.getByRole('button', { name: 'Show devices' }).click();
    await card.getByRole('button', { name: 'Update greenhouse now' }).click();
    const dialog = page.getByRole('dialog', { name: 'Update now' });
    await expect(dialog).toContainText('outside the update window of its account');
    await dialog.getByRole('button', { name: 'Update now' }).click();
    // It was offered: an agent without a service says that it can't.
    await expect(card.getByRole('row', { name: 'greenhouse' })).toContainText('not installed with a service');
  } finally {
    await agent.remove();
  }
});
