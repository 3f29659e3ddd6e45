import { expect, type Locator, type Page } from '@playwright/test';

/** The open dialog. */
export class Dialog {
  readonly page: Page;
  readonly root: Locator;

  constructor(page: Page, title: string | RegExp) {
    this.page = page;
    this.root = page.getByRole('dialog', { name: title });
  }

  field(label: string | RegExp): Locator {
    return this.root.getByLabel(label).and(this.root.locator('input, textarea'));
  }

  button(name: string): Locator {
    return this.root.getByRole('button', { name, exact: true });
  }

  /** The hub's error. */
  get problem(): Locator {
    return this.root.getByRole('alert');
  }

  /** Confirms by the button. */
  async confirm(name: string): Promise<void> {
    await this.button(name).click();
  }

  async expectGone(): Promise<void> {
    await expect(this.root).toHaveCount(0);
  }
}

/** Chooses an option of an open list. */
export async function choose(page: Page, option: string): Promise<void> {
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Waits for a toast of success, with its title and text. */
export async function expectToast(page: Page, title: string, detail: string): Promise<void> {
  const toast = page.getByRole('alert').filter({ has: page.getByText(title, { exact: true }) });
  await expect(toast.filter({ has: page.getByText(detail, { exact: true }) })).toBeVisible();
}

/** Waits for a toast with the reason of a failure. */
export async function expectFailure(page: Page, reason: string | RegExp): Promise<void> {
  await expect(page.getByRole('alert').filter({ hasText: reason })).toBeVisible();
}
