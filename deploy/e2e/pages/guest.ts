import { expect, type Locator, type Page } from '@playwright/test';

/** What a host sees of guest links, on a device page. */
export class GuestLinks {
  readonly page: Page;
  readonly open: Locator;
  readonly dialog: Locator;
  /** The links of the device. */
  readonly list: Locator;

  constructor(page: Page) {
    this.page = page;
    this.open = page.getByRole('button', { name: 'Guest link' });
    this.dialog = page.getByRole('dialog', { name: 'New guest link' });
    this.list = page.getByRole('region', { name: 'Guest links' });
  }

  /** Creates the link of the open dialog, and closes that. @returns the address that the guest opens */
  async create(): Promise<string> {
    await this.dialog.getByRole('button', { name: 'Create link' }).click();
    const link = (await this.dialog.locator('code').textContent()) ?? '';
    await this.dialog.getByRole('button', { name: 'Done' }).click();
    return link;
  }
}

/** What a guest sees of a link. */
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
