import type { Page } from '@playwright/test';
import { violations } from '../../support/axe.ts';
import { dialogs } from '../../support/screens/dialogs.ts';
import { pages } from '../../support/screens/pages.ts';
import { setScene, type Scene } from '../../support/screens/scene.ts';
import { leave, settle, viewer, visit, type Screen } from '../../support/screens/screen.ts';
import { expect, test } from '../../support/test.ts';

const wide = { width: 1280, height: 800 };
const phone = { width: 360, height: 740 };
/** What depends on colours, which no width changes. */
const colours = ['color-contrast', 'link-in-text-block'];
/** Overlays of a page, which are checked as separate screens. */
const over = ':is([role=dialog], [role=menu]):not([aria-hidden=true])';

let scene: Scene;
test.beforeAll(async ({ office, warren }) => {
  scene = await setScene(office, warren);
});

/**
 * What axe finds, by location: every rule in light, colours alone in dark, and all but colours on a phone, to whose width the
 * window shrinks, so that one visit suffices.
 */
async function audit(page: Page, screen: Screen): Promise<Record<string, string[]>> {
  const looks = [
    { name: 'light', scheme: 'light', size: wide, rules: {} },
    { name: 'dark', scheme: 'dark', size: wide, rules: { only: colours } },
    { name: 'phone', scheme: 'light', size: phone, rules: { without: colours } },
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
    if (lines.length > 0) found[`${screen.name}, ${name}`] = lines;
  }
  await page.setViewportSize(wide);
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

/** Screens by who looks at them, so that each person comes once. */
const byViewer = (screens: readonly Screen[]) => Map.groupBy(screens, (screen) => viewer(screen, scene));

for (const [what, screens] of Object.entries({ page: pages, dialog: dialogs })) {
  test(`axe finds nothing on any ${what}`, async ({ enter }) => {
    test.setTimeout(900_000);
    const found: Record<string, string[]> = {};
    for (const [who, theirs] of byViewer(screens)) {
      const page = await enter(who, { reducedMotion: 'reduce', viewport: wide });
      for (const screen of theirs) {
        await test.step(screen.name, async () => {
          await visit(page, screen, scene);
          await settle(page);
          Object.assign(found, await audit(page, screen));
          await leave(page, screen);
        });
      }
    }
    expect(found).toEqual({});
  });
}
