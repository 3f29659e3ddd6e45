import { TerminalPage } from '../../pages/terminal.ts';
import { expect, test } from '../../support/test.ts';

/** Long before the silence of the hub would tell, which takes 12 s. */
const AT_ONCE_MS = 5_000;

test('the loss of the network shows at once, on lists and in the terminal, and so does its return', async ({
  enter,
  warren,
}) => {
  const page = await enter('superAdmin');
  const banner = page.getByText('You are offline.');
  await page.goto('/devices');
  await expect(page.getByRole('row').nth(1)).toContainText('Connected');
  await page.context().setOffline(true);
  await expect(banner).toBeVisible({ timeout: AT_ONCE_MS });
  await expect(page.locator('html')).toHaveAttribute('data-stale');
  await page.context().setOffline(false);
  await expect(banner).toHaveCount(0);

  const terminal = new TerminalPage(page);
  await terminal.openReady(warren.facts.device.id);
  const state = page.locator('[data-state=connected]');
  await expect(state).toHaveAttribute('data-tone', 'good');
  await page.context().setOffline(true);
  await expect(state).toHaveAttribute('data-tone', 'wait', { timeout: AT_ONCE_MS });
  await expect(state).toContainText('Connection interrupted');
  await page.context().setOffline(false);
  await expect(page.locator('[data-tone=good]')).toBeVisible();
});
