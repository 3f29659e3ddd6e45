import { expect, type Page } from '@playwright/test';
import { violations } from '../axe.ts';
import type { Screen } from './screen.ts';

/** The window of the walk. */
export const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };
/** What depends on colours, which no width changes. */
const colours = ['color-contrast', 'link-in-text-block'];
/** Overlays of a page, which are checked as separate screens. */
const over = ':is([role=dialog], [role=menu]):not([aria-hidden=true])';

/**
 * What axe finds, by location: every rule in light, colours alone in dark, and all but colours on a phone, to whose width the
 * window shrinks, so that one visit suffices.
 * @param looked called while the page is shown in each look
 */
export async function audit(
  page: Page,
  screen: Screen,
  looked: (look: string) => Promise<void> = async () => {},
): Promise<Record<string, string[]>> {
  const looks = [
    { name: 'light', scheme: 'light', size: WIDE, rules: {} },
    { name: 'dark', scheme: 'dark', size: WIDE, rules: { only: colours } },
    { name: 'phone', scheme: 'light', size: PHONE, rules: { without: colours } },
  ] as const;
  const found: Record<string, string[]> = {};
  const within = (await page.locator(over).count()) > 0 ? over : undefined;
  for (const { name, scheme, size, rules } of looks) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    // The console follows a moment later; half of each scheme has too little contrast.
    await expect(page.locator(`html[data-mantine-color-scheme=${scheme === 'dark' ? 'light' : 'dark'}]`)).toHaveCount(
      0,
    );
    await page.setViewportSize(size);
    await rest(page);
    let lines = await violations(page, rules, within);
    if (lines.length > 0) {
      // What is drawn for a moment only, on a busy machine, is gone by now; what people read is still there.
      await rest(page);
      lines = await violations(page, rules, within);
    }
    await looked(name);
    if (lines.length > 0) found[`${screen.name}, ${name}`] = lines;
  }
  await page.setViewportSize(WIDE);
  return found;
}

/** Waits until the page is drawn as it was just asked to be, and no colour is on its way to another. */
const rest = (page: Page) =>
  page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
    const ending = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
