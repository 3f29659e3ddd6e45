import { expect, type Locator, type Page } from '@playwright/test';
import { Shell } from '../../pages/shell.ts';
import { query } from '../database.ts';
import { person, type Who } from '../people.ts';

export interface SignIn {
  provider: string;
  who: Who;
  /** The button that submits the provider's form. */
  submit: (page: Page) => Locator;
}

/** Signs a user in at a provider, with the user name and password form. */
export async function signInAt(page: Page, hub: string, { provider, who, submit }: SignIn): Promise<void> {
  const { email, name } = person(who);
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

/**
 * Clears the binding of users to an identity, so that the next sign-in may be at any provider. Keeps their sessions, which a reset over
 * REST would end.
 */
export async function unbind(database: string, users: readonly Who[]): Promise<void> {
  await query(
    database,
    `UPDATE tenancy.users SET provider = '', subject = '', bound_at = NULL WHERE email = ANY($1::text[])`,
    [users.map((who) => person(who).email)],
  );
}
