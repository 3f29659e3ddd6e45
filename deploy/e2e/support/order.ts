import { expect, type Page } from '@playwright/test';

const MOST_STOPS = 200;

/** Expects what screen readers go by: landmarks with different names, headings without a missing level, no order but that of the page. */
export async function expectReadInOrder(page: Page): Promise<void> {
  for (const landmark of ['banner', 'main'] as const) await expect(page.getByRole(landmark)).toHaveCount(1);
  const parts = page.getByRole('navigation').or(page.getByRole('complementary'));
  const names = await parts.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  expect(names).not.toContain(null);
  expect(new Set(names).size).toBe(names.length);
  const levels = await page
    .getByRole('main')
    .getByRole('heading')
    .evaluateAll((all) => all.map((one) => Number(one.tagName.slice(1))));
  expect(levels.filter((level) => level === 1)).toEqual(levels.slice(0, 1));
  for (const [at, level] of levels.entries()) expect(level - (levels[at - 1] ?? 0)).toBeLessThanOrEqual(1);
  const ahead = await page
    .locator('[tabindex]')
    .evaluateAll((all) => all.filter((one) => (one as HTMLElement).tabIndex > 0).length);
  expect(ahead).toBe(0);
}

/** Expects that Tab goes from top to bottom through the main part. @param least stops in it */
export async function expectTabbedInOrder(page: Page, least = 6): Promise<void> {
  // Again when the page has changed below the walk: what comes in live moves what has the focus.
  await expect(async () => {
    const stops = await tabStops(page);
    expect(stops.length, `stops at ${stops.map(({ name }) => name).join(', ')}`).toBeGreaterThanOrEqual(least);
    // What is further up is in another column, to the right.
    const back = stops.filter((stop, at) => {
      const before = stops[at - 1];
      return before !== undefined && stop.bottom <= before.top && stop.left <= before.left;
    });
    expect(back).toEqual([]);
  }).toPass({ timeout: 120_000 });
}

/** What the keyboard reaches in the main part, in that order, with its place on the page; once around the whole page. */
async function tabStops(page: Page): Promise<{ name: string; top: number; bottom: number; left: number }[]> {
  const stops: { name: string; top: number; bottom: number; left: number }[] = [];
  const first = page.getByRole('link', { name: 'Skip to content' });
  await first.focus();
  for (let pressed = 0; pressed < MOST_STOPS; pressed++) {
    await page.keyboard.press('Tab');
    const stop = await first.evaluate((start) => {
      const at = document.activeElement;
      if (at === start) return 'around';
      // Nothing has it when what had it was removed, and between the last and the first.
      if (!at?.closest('main')) return 'outside';
      // The box of a radio has no size; its label has.
      const { top, bottom, left } = (
        (at.getClientRects()[0]?.height ?? 0) > 2 ? at : (at.parentElement ?? at)
      ).getBoundingClientRect();
      let down = 0;
      for (let around = at.parentElement; around; around = around.parentElement) down += around.scrollTop;
      return { name: at.getAttribute('aria-label') ?? at.textContent, top: top + down, bottom: bottom + down, left };
    });
    if (stop === 'around') break;
    if (stop !== 'outside') stops.push(stop);
  }
  return stops;
}
