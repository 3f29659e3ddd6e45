import { expect, type Locator, type Page } from '@playwright/test';

/** The layout around every screen: the sidebar and the top bar. */
export class Shell {
  readonly page: Page;
  readonly navigation: Locator;
  readonly userMenu: Locator;

  constructor(page: Page) {
    this.page = page;
    this.navigation = page.getByRole('navigation', { name: 'Main navigation' });
    this.userMenu = page.getByRole('button', { name: /^Your menu/ });
  }

  /** The menu's entries, from the top. */
  entries(): Promise<string[]> {
    return this.navigation.getByRole('link').allInnerTexts();
  }

  get accountSelect(): Locator {
    return this.page.getByRole('combobox', { name: 'Account' });
  }

  async chooseScheme(scheme: 'Light' | 'Dark' | 'System'): Promise<void> {
    await this.userMenu.click();
    await this.page.getByRole('menuitemradio', { name: scheme }).click();
    await this.page.keyboard.press('Escape');
  }

  async signOut(): Promise<void> {
    await this.userMenu.click();
    await this.page.getByRole('menuitem', { name: 'Log out' }).click();
  }

  /** The scheme in which the page is drawn. */
  async expectScheme(scheme: 'light' | 'dark'): Promise<void> {
    await expect(this.page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
  }
}
