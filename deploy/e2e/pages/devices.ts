import type { Locator, Page } from '@playwright/test';

/** The devices list. */
export class DevicesPage {
  readonly page: Page;
  readonly table: Locator;
  readonly search: Locator;

  constructor(page: Page) {
    this.page = page;
    this.table = page.getByRole('table');
    this.search = page.getByRole('combobox', { name: 'Search devices' });
  }

  /** The list of one account, or of all. */
  async open(account?: string): Promise<void> {
    await this.page.goto(account ? `/devices/${account}` : '/devices');
  }

  get heading(): Locator {
    return this.page.getByRole('heading', { level: 1 });
  }

  /** The rows of devices, without the head. */
  get rows(): Locator {
    return this.table.locator('tbody').getByRole('row');
  }

  row(text: string): Locator {
    return this.rows.filter({ hasText: text });
  }

  /** The row of one device in its account's list, wherever it stands among those that other tests have made. */
  async only(account: string, name: string): Promise<Locator> {
    await this.open(`${account}?search=${encodeURIComponent(name)}`);
    return this.rows.filter({ has: this.page.getByRole('link', { name, exact: true }) }).first();
  }

  /** The names as they stand from the top. */
  names(): Promise<string[]> {
    return this.rows.locator('td:nth-child(2)').getByRole('link').allInnerTexts();
  }

  head(name: string): Locator {
    return this.table.getByRole('columnheader', { name });
  }

  /** Sorts by a column, or turns its order round. */
  async sort(name: string): Promise<void> {
    await this.head(name).getByRole('button').click();
  }

  get addDevice(): Locator {
    return this.page.getByRole('button', { name: 'Add device' });
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog');
  }
}
