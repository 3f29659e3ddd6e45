import { expect, measured, test as base } from '../../support/test.ts';
import { Shell } from '../../pages/shell.ts';
import { ForeignGateways } from '../../support/foreign/gateways.ts';
import { Lemonldap } from '../../support/foreign/lemonldap.ts';
import { keptSession, nextAnswer, sessionStatus, signInAt, unbind } from '../../support/foreign/sign-in.ts';
import { person, type Who } from '../../support/people.ts';
import type { Page } from '@playwright/test';

const who = 'member';
/** A user of the hub that the access rule of LemonLDAP::NG excludes. */
const refused = 'admin';
const everyone: readonly Who[] = [who, refused];

interface Foreign {
  gateways: ForeignGateways;
  lemonldap: Lemonldap;
}

/** A hub whose people sign in at a LemonLDAP::NG. */
const test = base.extend<object, { foreign: Foreign }>({
  foreign: [
    async ({ warren }, use) => {
      const lemonldap = await Lemonldap.start({
        people: everyone.map(person),
        accessRule: `$mail ne '${person(refused).email}'`,
      });
      await unbind(warren.facts.database, everyone);
      const gateways = await ForeignGateways.start(warren.facts, {
        lemonldap: { metadataUrl: lemonldap.metadataUrl, domains: ['meadow.example'] },
      });
      await lemonldap.trust(await (await fetch(`${gateways.hub}/auth/saml/metadata`)).text());
      await use({ gateways, lemonldap });
      await gateways.stop();
      await lemonldap.stop();
      await unbind(warren.facts.database, everyone);
    },
    // The first run downloads LemonLDAP::NG.
    { scope: 'worker', timeout: 600_000 },
  ],
});

test.skip(process.getuid?.() !== 0, 'chroot needs root');

const form = {
  user: (page: Page) => page.locator('input[name=user]'),
  password: (page: Page) => page.locator('input[name=password]'),
  submit: (page: Page) => page.locator('button[type=submit]').first(),
  /** Demonstration accounts have their name as the password. */
  secret: (email: string) => email,
};

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

test('signs out at the hub on a logout there, through the browser', async ({ contexts, foreign }) => {
  const { hub } = foreign.gateways;
  const page = await contexts.page();
  await signInAt(page, hub, { provider: 'lemonldap', who, form });
  const status = await keptSession(page, hub);
  expect(await status()).toBe(200);
  const logout = page.waitForRequest((request) => request.url().startsWith(`${hub}/auth/saml/slo`));
  const since = Date.now();
  await page.goto(`${foreign.lemonldap.url}/?logout=1`);
  await logout;
  await expect.poll(status).toBe(401);
  measured('logout at LemonLDAP::NG until the session at the hub has ended', Date.now() - since, 'ms');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('You have been disconnected')).toBeVisible();
});

test('a person that the access rule excludes has no session at the hub', async ({ contexts, foreign }) => {
  const { hub } = foreign.gateways;
  const page = await contexts.page();
  await page.goto(`${hub}/auth/saml/login?provider=lemonldap`);
  const { email } = person(refused);
  await form.user(page).fill(email);
  await form.password(page).fill(form.secret(email));
  await form.submit(page).click();
  await expect(page.getByText("You're not authorized to access to this host")).toBeVisible();
  expect(new URL(page.url()).origin).toBe(foreign.lemonldap.url);
  expect(await sessionStatus(page, hub)).toBe(401);
});
