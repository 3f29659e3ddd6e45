import type { Locator, Page } from '@playwright/test';

/** A screen that is a list: of accounts, groups, users or devices. */
export class ListPage {
  readonly page: Page;
  readonly table: Locator;

  /** @param label accessible name of the table */
  constructor(page: Page, label: string | RegExp) {
    this.page = page;
    this.table = page.getByRole('table', { name: label });
  }

  row(text: string): Locator {
    return this.table.locator('tbody').getByRole('row').filter({ hasText: text });
  }

  /** Chooses an action from a row's menu. */
  async act(name: string, action: string): Promise<void> {
    await this.page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
    await this.page.getByRole('menuitem', { name: action, exact: true }).click();
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }
}
