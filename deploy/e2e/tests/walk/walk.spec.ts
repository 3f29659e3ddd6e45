import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { fillTo } from '../../support/many.devices.ts';
import { expectReadInOrder, expectTabbedInOrder } from '../../support/order.ts';
import { audit, WIDE } from '../../support/screens/audit.ts';
import { pages } from '../../support/screens/pages.ts';
import { setScene, type Scene } from '../../support/screens/scene.ts';
import { leave, settle, viewer, visit, type Screen } from '../../support/screens/screen.ts';
import { SOAK } from '../../support/soak.ts';
import { expect, measured, test } from '../../support/test.ts';

const DEVICES = 12_345;
const ACCOUNT = 'Meadow Farms';

const first = (page: Page) => page.getByRole('table').getByRole('row').nth(1);
/** Lists of all of them: from both ends, from the middle, filtered and searched. */
const lists: readonly Screen[] = ['', '?order=desc', '?sort=name&page=100', '?filter=site%3Dnorth', '?search=hall'].map(
  (query) => ({ name: `devices-many${query.replace(/\W+/g, '-')}`, path: () => `/devices${query}`, ready: first }),
);

let scene: Scene;
test.beforeAll(async ({ office, warren }) => {
  test.setTimeout(300_000);
  scene = await setScene(office, warren);
  await fillTo(DEVICES, { id: warren.account(ACCOUNT), name: ACCOUNT }, warren.facts.database);
});

/** What no width may do: push the page past the window. */
const overflow = (page: Page) =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth));

/** Whether Tab belongs to what the page shows: a terminal, or the screen of a desktop. */
const takesKeys = async (page: Page) => (await page.locator('.xterm, canvas[tabindex]').count()) > 0;

test(
  `every page beside ${DEVICES} devices, in light, dark, on a phone, by keys and as it is read`,
  SOAK,
  async ({ enter }, info) => {
    test.setTimeout(3_600_000);
    const folder = join(info.outputDir, '..', 'walk');
    await mkdir(folder, { recursive: true });
    const found: Record<string, unknown> = {};
    for (const [who, screens] of Map.groupBy([...pages, ...lists], (screen) => viewer(screen, scene))) {
      const page = await enter(who, { reducedMotion: 'reduce', viewport: WIDE });
      for (const screen of screens) {
        await test.step(screen.name, async () => {
          const began = Date.now();
          await visit(page, screen, scene);
          await settle(page);
          measured(screen.name, Date.now() - began, 'ms');
          const wide: Record<string, number> = {};
          const violations = await audit(page, screen, async (look) => {
            await page.screenshot({ path: join(folder, `${screen.name}-${look}.png`) });
            const pixels = await overflow(page);
            if (pixels > 0) wide[look] = pixels;
          });
          Object.assign(found, violations, Object.keys(wide).length > 0 && { [`${screen.name}, too wide`]: wide });
          // What lies over a page is read by itself, and has its own test of keys.
          if (!screen.show && page.url().startsWith('http') && (await page.getByRole('banner').count()) > 0) {
            const order = await expectReadInOrder(page)
              .then(async () => ((await takesKeys(page)) ? undefined : expectTabbedInOrder(page, 1)))
              .catch((error: Error) => error.message);
            if (order) found[`${screen.name}, order`] = order;
          }
          await leave(page, screen);
        });
      }
    }
    expect(found).toEqual({});
  },
);
