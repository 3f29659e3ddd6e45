import { expect, type Page } from '@playwright/test';

/** The identity provider's sign-in page. */
export class SignInPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get heading() {
    return this.page.getByRole('heading', { name: 'Sign in to Warren' });
  }

  /** Chooses one of the listed people. */
  async choose(email: string): Promise<void> {
    const address = this.page.getByText(email, { exact: true });
    await this.page.getByRole('button').filter({ has: address }).click();
  }

  /** Signs in as an unlisted person. */
  async type(email: string): Promise<void> {
    await this.page.getByLabel('Someone else').fill(email);
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }
}

/** Waits for Home, and signs in through the forms if the browser has no session. */
export async function signIn(page: Page, email: string): Promise<void> {
  const provider = new SignInPage(page);
  const home = page.getByRole('heading', { level: 1, name: 'Home' });
  await page.goto('/');
  await expect(home.or(provider.heading)).toBeVisible();
  if (await provider.heading.isVisible()) await provider.choose(email);
  await expect(home).toBeVisible();
}
