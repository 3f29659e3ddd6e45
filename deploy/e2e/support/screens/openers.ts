import type { Page } from '@playwright/test';
import type { Scene } from './scene.ts';
import type { Screen } from './screen.ts';

export const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { level: 1, name });
export const dialog = (name: string | RegExp) => (page: Page) => page.getByRole('dialog', { name });
export const menu = (page: Page) => page.getByRole('menu');
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();

export type Named = (scene: Scene) => string;

/** A dialog that the menu of a row opens. */
export const fromMenu = (where: Named, row: Named, action: string, title: string): Omit<Screen, 'name'> => ({
  path: where,
  ready: dialog(title),
  show: async (page, scene) => {
    await press(page, `Actions for ${row(scene)}`);
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  },
});

/** The menu of a row itself. */
export const rowMenu = (where: Named, row: Named): Omit<Screen, 'name'> => ({
  path: where,
  ready: menu,
  show: (page, scene) => press(page, `Actions for ${row(scene)}`),
});

/** A dialog behind a button of the page. */
export const fromButton = (where: Named, button: string, title: string | RegExp): Omit<Screen, 'name'> => ({
  path: where,
  ready: dialog(title),
  show: (page) => press(page, button),
});

/** A dialog behind a button in the head of a device page; on a phone it is an item of that page's menu. */
export const fromHead = (action: string, title: string): Omit<Screen, 'name'> => ({
  path: ({ estate, device: { id } }) => `/devices/${estate.id}/${id}`,
  ready: dialog(title),
  show: async (page, { device: { name } }) => {
    const button = page.getByRole('button', { name: action, exact: true });
    const actions = page.getByRole('button', { name: `Actions for ${name}`, exact: true });
    await button.or(actions).first().waitFor();
    if (await button.isVisible()) return button.click();
    await actions.click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  },
});
