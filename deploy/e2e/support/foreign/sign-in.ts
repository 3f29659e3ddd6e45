import { expect, type Locator, type Page } from '@playwright/test';
import { Shell } from '../../pages/shell.ts';
import { query } from '../database.ts';
import { person, type Who } from '../people.ts';

export interface SignIn {
  provider: string;
  who: Who;
  form: SignInForm;
}

/** The form of a provider with user name and password. */
export interface SignInForm {
  user: (page: Page) => Locator;
  password: (page: Page) => Locator;
  submit: (page: Page) => Locator;
  secret: (email: string) => string;
}

/** A form as SimpleSAMLphp and Keycloak have it; in the tests all passwords there are `secret`. */
export const formWith = (submit: string): SignInForm => ({
  user: (page) => page.locator('#username'),
  password: (page) => page.locator('#password'),
  submit: (page) => page.locator(submit),
  secret: () => 'secret',
});

/** Signs a user in at a provider. */
export async function signInAt(page: Page, hub: string, { provider, who, form }: SignIn): Promise<void> {
  const { email, name } = person(who);
  await page.goto(`${hub}/profile`);
  // The hub lists its providers only if it has several.
  const listed = page.getByRole('link', { name: provider, exact: true });
  await expect(listed.or(form.user(page))).toBeVisible();
  if (await listed.isVisible()) await listed.click();
  await form.user(page).fill(email);
  await form.password(page).fill(form.secret(email));
  await form.submit(page).click();
  await expect(page).toHaveURL(`${hub}/profile`);
  await expect(new Shell(page).userMenu).toHaveAccessibleName(`Your menu: ${name}`);
}

/** The next answer that the browser posts to the hub, as XML. */
export async function nextAnswer(page: Page, hub: string): Promise<string> {
  const request = await page.waitForRequest((one) => one.url() === `${hub}/auth/saml/acs`);
  const answer = new URLSearchParams(request.postData() ?? '').get('SAMLResponse') ?? '';
  return Buffer.from(answer, 'base64').toString();
}

/** What the hub answers to who asks for the session of this browser. */
export const sessionStatus = (page: Page, hub: string): Promise<number> =>
  page.request.get(`${hub}/auth/saml/getsession`).then((answer) => answer.status());

/** Keeps the cookies of a browser to ask about its session later, even if a logout has removed them from the browser. */
export async function keptSession(page: Page, hub: string): Promise<() => Promise<number>> {
  const cookies = await page.context().cookies(hub);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  return async () => (await fetch(`${hub}/auth/saml/getsession`, { headers: { cookie } })).status;
}

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
