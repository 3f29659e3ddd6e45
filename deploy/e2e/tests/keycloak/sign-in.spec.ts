import { expect, test as base } from '../../support/test.ts';
import { Shell } from '../../pages/shell.ts';
import { ForeignGateways } from '../../support/foreign/gateways.ts';
import { Keycloak, type Realm } from '../../support/foreign/keycloak.ts';
import { sessionStatus, signInAt } from '../../support/foreign/sign-in.ts';
import { person } from '../../support/people.ts';
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';

interface Foreign {
  gateways: ForeignGateways;
  realms: { signed: Realm; encrypted: Realm };
}

/** A hub whose people sign in at two realms of a Keycloak: one that signs, and one that encrypts as well. */
const test = base.extend<object, { foreign: Foreign }>({
  foreign: [
    async ({ warren }, use) => {
      const keycloak = new Keycloak(process.env['WARREN_KEYCLOAK'] ?? '');
      const run = randomUUID().slice(0, 8);
      const realms = {
        signed: await keycloak.realm(`signed-${run}`),
        encrypted: await keycloak.realm(`encrypted-${run}`),
      };
      const all = Object.values(realms);
      for (const realm of all) await realm.add(person('member'));
      const gateways = await ForeignGateways.start(warren.facts, realms);
      const metadata = await (await fetch(`${gateways.hub}/auth/saml/metadata`)).text();
      await realms.signed.trust(metadata, { 'saml.encrypt': 'false' });
      await realms.encrypted.trust(metadata);
      await use({ gateways, realms });
      await gateways.stop();
      for (const realm of all) await realm.remove();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

const submit = (page: Page) => page.locator('#kc-login');

for (const provider of ['signed', 'encrypted'] as const) {
  test.describe(`Keycloak with ${provider} assertions`, () => {
    test('signs a person in; signing out at the hub signs out there too', async ({ contexts, foreign }) => {
      const { hub } = foreign.gateways;
      const page = await contexts.page();
      const answered = page.waitForRequest((request) => request.url() === `${hub}/auth/saml/acs`);
      await signInAt(page, hub, provider, submit);
      const [, answer = ''] = /SAMLResponse=([^&]+)/.exec((await answered).postData() ?? '') ?? [];
      const said = Buffer.from(decodeURIComponent(answer), 'base64').toString();
      expect(said).toContain(provider === 'encrypted' ? 'EncryptedAssertion' : '<saml:Assertion');
      await new Shell(page).signOut();
      await expect(page).toHaveURL(`${hub}/auth/saml/signed-out`);
      expect(await sessionStatus(page, hub)).toBe(401);
      await page.goto(`${hub}/auth/saml/login?provider=${provider}`);
      await expect(page.locator('#password')).toBeVisible();
    });

    test('signs out at the hub when somebody signs out there', async ({ contexts, foreign }) => {
      const { hub } = foreign.gateways;
      const page = await contexts.page();
      await signInAt(page, hub, provider, submit);
      await page.goto(`${foreign.realms[provider].url}/protocol/openid-connect/logout`);
      await page.locator('#kc-logout').click();
      await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible();
      expect(await sessionStatus(page, hub)).toBe(401);
    });
  });
}
