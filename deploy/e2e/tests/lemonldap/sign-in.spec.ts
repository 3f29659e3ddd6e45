import { Shell } from '../../pages/shell.ts';
import { form, refused, test, who } from '../../support/foreign/lemonldap.fixtures.ts';
import { keptSession, nextAnswer, sessionStatus, signInAt } from '../../support/foreign/sign-in.ts';
import { person } from '../../support/people.ts';
import { expect, measured } from '../../support/test.ts';

test.skip(process.getuid?.() !== 0, 'chroot needs root');

test('signs a person in; signing out at the hub signs out there too', async ({ contexts, foreign }) => {
  const { hub } = foreign.gateways;
  const page = await contexts.page();
  const answer = nextAnswer(page, hub);
  await signInAt(page, hub, { provider: 'lemonldap', who, form });
  expect(await answer).toContain('EncryptedAssertion');
  await new Shell(page).signOut();
  await expect(page).toHaveURL(`${hub}/auth/saml/signed-out`);
  expect(await sessionStatus(page, hub)).toBe(401);
  await page.goto(`${hub}/auth/saml/login?provider=lemonldap`);
  await expect(form.password(page)).toBeVisible();
});

test('signs out at the hub on a logout there, through the browser', async ({ contexts, foreign, lemonldap }) => {
  const { hub } = foreign.gateways;
  const page = await contexts.page();
  await signInAt(page, hub, { provider: 'lemonldap', who, form });
  const status = await keptSession(page, hub);
  expect(await status()).toBe(200);
  const logout = page.waitForRequest((request) => request.url().startsWith(`${hub}/auth/saml/slo`));
  const since = Date.now();
  await page.goto(`${lemonldap.url}/?logout=1`);
  await logout;
  await expect.poll(status).toBe(401);
  measured('logout at LemonLDAP::NG until the session at the hub has ended', Date.now() - since, 'ms');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('You have been disconnected')).toBeVisible();
});

test('a person that the access rule excludes has no session at the hub', async ({ contexts, foreign, lemonldap }) => {
  const { hub } = foreign.gateways;
  const page = await contexts.page();
  await page.goto(`${hub}/auth/saml/login?provider=lemonldap`);
  const { email } = person(refused);
  await form.user(page).fill(email);
  await form.password(page).fill(form.secret(email));
  await form.submit(page).click();
  await expect(page.getByText("You're not authorized to access to this host")).toBeVisible();
  expect(new URL(page.url()).origin).toBe(lemonldap.url);
  expect(await sessionStatus(page, hub)).toBe(401);
});
