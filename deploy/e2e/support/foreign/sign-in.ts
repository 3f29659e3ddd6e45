import { expect, type Locator, type Page } from '@playwright/test';
import { Shell } from '../../pages/shell.ts';
import { person } from '../people.ts';

/** Signs the member in at a provider, by its form with a user's name and a password. @param submit its button */
export async function signInAt(
  page: Page,
  hub: string,
  provider: string,
  submit: (page: Page) => Locator,
): Promise<void> {
  const { email, name } = person('member');
  await page.goto(`${hub}/profile`);
  await page.getByRole('link', { name: provider }).click();
  await page.locator('#username').fill(email);
  await page.locator('#password').fill('secret');
  await submit(page).click();
  await expect(page).toHaveURL(`${hub}/profile`);
  await expect(new Shell(page).userMenu).toHaveAccessibleName(`Your menu: ${name}`);
}

/** What the hub answers to who asks for the session of this browser. */
export const sessionStatus = (page: Page, hub: string): Promise<number> =>
  page.request.get(`${hub}/auth/saml/getsession`).then((answer) => answer.status());
