import { TerminalPage } from '../../pages/terminal.ts';
import { expect, test } from '../../support/test.ts';

test('the loss of the network shows at once, on lists and in the terminal, and so does its return', async ({
  enter,
  warren,
}) => {
  const page = await enter('superAdmin');
  const banner = page.getByText('You are offline.');
  await page.goto('/devices');
  await expect(page.getByRole('row').nth(1)).toContainText('Connected');
  await page.context().setOffline(true);
  await expect(banner).toBeVisible({ timeout: 1_000 });
  await expect(page.locator('html')).toHaveAttribute('data-stale');
  await page.context().setOffline(false);
  await expect(banner).toHaveCount(0);

  const terminal = new TerminalPage(page);
  await terminal.openReady(warren.facts.device.id);
  const state = page.locator('[data-state=connected]');
  await expect(state).toHaveAttribute('data-tone', 'good');
  await page.context().setOffline(true);
  await expect(state).toHaveAttribute('data-tone', 'wait', { timeout: 1_000 });
  await expect(state).toContainText('Connection interrupted');
  await page.context().setOffline(false);
  await expect(page.locator('[data-tone=good]')).toBeVisible();
});
