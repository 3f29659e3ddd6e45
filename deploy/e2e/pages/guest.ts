import { expect, type Locator, type Page } from '@playwright/test';

/** The guest links of a device page, as their host sees them. */
export class GuestLinks {
  readonly open: Locator;
  readonly dialog: Locator;
  /** The links of the device. */
  readonly list: Locator;

  constructor(page: Page) {
    this.open = page.getByRole('button', { name: 'Guest link' });
    this.dialog = page.getByRole('dialog', { name: 'New guest link' });
    this.list = page.getByRole('region', { name: 'Guest links' });
  }

  /** Creates the link with the open dialog, and closes the dialog. @returns the address that the guest opens */
  async create(): Promise<string> {
    await this.dialog.getByRole('button', { name: 'Create link' }).click();
    const link = (await this.dialog.locator('code').textContent()) ?? '';
    await this.dialog.getByRole('button', { name: 'Done' }).click();
    return link;
  }
}

/** The page of a guest link, as the guest sees it. */
export class GuestPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** @param purpose as the button names it: `terminal`, `desktop`, `web service` */
  async join(name: string, purpose: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Your name' }).fill(name);
    await this.page.getByRole('button', { name: `Open ${purpose}` }).click();
  }

  async expectEnded(): Promise<void> {
    await expect(this.page.getByRole('heading', { name: 'Your guest access has ended' })).toBeVisible();
  }
}
