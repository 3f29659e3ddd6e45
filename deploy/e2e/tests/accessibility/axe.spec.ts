import { audit, WIDE } from '../../support/screens/audit.ts';
import { dialogs } from '../../support/screens/dialogs.ts';
import { pages } from '../../support/screens/pages.ts';
import { setScene, type Scene } from '../../support/screens/scene.ts';
import { leave, settle, viewer, visit, type Screen } from '../../support/screens/screen.ts';
import { expect, test } from '../../support/test.ts';

let scene: Scene;
test.beforeAll(async ({ office, warren }) => {
  scene = await setScene(office, warren);
});

/** Screens by who looks at them, so that each person comes once. */
const byViewer = (screens: readonly Screen[]) => Map.groupBy(screens, (screen) => viewer(screen, scene));

for (const [what, screens] of Object.entries({ page: pages, dialog: dialogs })) {
  test(`axe finds nothing on any ${what}`, async ({ enter }) => {
    test.setTimeout(900_000);
    const found: Record<string, string[]> = {};
    for (const [who, theirs] of byViewer(screens)) {
      const page = await enter(who, { reducedMotion: 'reduce', viewport: WIDE });
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
