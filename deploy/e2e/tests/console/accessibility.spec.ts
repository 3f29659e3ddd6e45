import type { Page } from '@playwright/test';
import { violations } from '../../support/axe.ts';
import { dialogs } from '../../support/screens/dialogs.ts';
import { pages } from '../../support/screens/pages.ts';
import { setScene, type Scene } from '../../support/screens/scene.ts';
import { leave, settle, viewer, visit, type Screen } from '../../support/screens/screen.ts';
import { expect, test } from '../../support/test.ts';

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

let scene: Scene;
test.beforeAll(async ({ office, warren }) => {
  scene = await setScene(office, warren);
});

/** What axe finds in both schemes, by where; the other scheme changes colours alone. */
async function audit(page: Page, screen: Screen): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const [colorScheme, rules] of [
    ['light', []],
    ['dark', ['color-contrast', 'link-in-text-block']],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const lines = await violations(page, [...rules]);
    if (lines.length > 0) found[`${screen.name}, ${colorScheme}`] = lines;
  }
  return found;
}

/** Screens by who looks at them, so that each person comes once. */
const byViewer = (screens: readonly Screen[]) => Map.groupBy(screens, (screen) => viewer(screen, scene));

for (const [what, screens] of Object.entries({ page: pages, dialog: dialogs })) {
  for (const [size, options] of [
    ['a wide window', {}],
    ['a phone', phone],
  ] as const) {
    test(`axe finds nothing on any ${what} of ${size}`, async ({ enter }) => {
      test.setTimeout(240_000);
      const found: Record<string, string[]> = {};
      for (const [who, theirs] of byViewer(screens)) {
        const page = await enter(who, { reducedMotion: 'reduce', ...options });
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
}
