import { expect, type Locator, type Page } from '@playwright/test';
import type { Who } from '../people.ts';
import type { Scene } from './scene.ts';

/** Something that the console shows: a page, or a dialog or menu over one. */
export interface Screen {
  name: string;
  /** The viewer: a SuperAdmin by default; null for a visitor without a session. */
  who?: Who | 'stranger' | 'disabled' | 'user' | 'approver' | null;
  /** The documentation has no picture of it; the accessibility tests look at it all the same. */
  unpictured?: true;
  path: (scene: Scene) => string;
  /** Is there when the screen is drawn. */
  ready: (page: Page, scene: Scene) => Locator;
  /** Opens what lies over the page. */
  show?: (page: Page, scene: Scene) => Promise<void>;
  /** Closes it again, where Escape does not. */
  hide?: (page: Page) => Promise<void>;
}

/** Whose session a screen is looked at with. */
export function viewer({ who }: Screen, scene: Scene): Who | (string & {}) | null {
  if (who === 'stranger' || who === 'disabled' || who === 'approver') return scene[who];
  if (who === 'user') return scene.user.email;
  return who === undefined ? 'superAdmin' : who;
}

/** Waits until nothing is on its way to the page any more: no skeleton, no list that loads. */
export async function settle(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy=true], .mantine-Skeleton-root[data-visible=true]')).toHaveCount(0);
  await expect(page.getByRole('status', { name: /^(Loading|Opening)/ })).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready);
}

/** The console goes to an address without loading again. */
export const walk = (page: Page, path: string) =>
  page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);

/** Draws a screen. The page stays where it is when it stands there already, and pages under nothing else follow in one console. */
export async function visit(page: Page, screen: Screen, scene: Scene): Promise<void> {
  const path = screen.path(scene);
  const { pathname, search } = new URL(page.url(), 'http://nowhere');
  const loaded = (await page.locator('#root > *').count()) > 0;
  if (pathname + search !== path && (screen.show || !loaded)) await page.goto(path);
  else if (pathname + search !== path) {
    // The pointer still is where something was clicked, which may show the tooltip of another screen's button.
    const { width, height } = page.viewportSize() ?? { width: 1, height: 0 };
    await page.mouse.move(width - 1, height / 2);
    await walk(page, '/nowhere');
    await page.getByText("UH OH! You're lost.").waitFor();
    await walk(page, path);
  }
  await screen.show?.(page, scene);
  await expect(screen.ready(page, scene)).toBeVisible();
}

/** Goes back to the bare page. */
export async function leave(page: Page, screen: Screen): Promise<void> {
  if (!screen.show) return;
  if (screen.hide) await screen.hide(page);
  else await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog').or(page.getByRole('menu')), `${screen.name} closes`).toHaveCount(0);
}
