import { expect, test as base } from '../../support/test.ts';
import { Shell } from '../../pages/shell.ts';
import { ForeignGateways, type ForeignProvider } from '../../support/foreign/gateways.ts';
import { Keycloak, type Realm } from '../../support/foreign/keycloak.ts';
import { sessionStatus, signInAt, unbind } from '../../support/foreign/sign-in.ts';
import { person } from '../../support/people.ts';
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';

/** The user that signs in at each realm, and the e-mail domain of the realm. */
const users = {
  signed: { who: 'member', domain: 'meadow.example' },
  encrypted: { who: 'operatorMember', domain: 'warren.example' },
  created: { who: 'otherMember', domain: 'harbour.example' },
} as const;
const ids = ['signed', 'encrypted', 'created'] as const;
const everyone = ids.map((id) => users[id].who);

interface Foreign {
  gateways: ForeignGateways;
  realms: Record<(typeof ids)[number], Realm>;
}

/** A hub whose people sign in at three realms of a Keycloak: one that signs, one that encrypts as well, and one whose client was not imported. */
const test = base.extend<object, { foreign: Foreign }>({
  foreign: [
    async ({ warren }, use) => {
      const keycloak = new Keycloak(process.env['WARREN_KEYCLOAK'] ?? '');
      const run = randomUUID().slice(0, 8);
      const realms = {
        signed: await keycloak.realm(`signed-${run}`),
        encrypted: await keycloak.realm(`encrypted-${run}`),
        created: await keycloak.realm(`created-${run}`),
      };
      const providers: Record<string, ForeignProvider> = {};
      for (const id of ids) {
        await realms[id].add(person(users[id].who));
        providers[id] = { metadataUrl: realms[id].metadataUrl, domains: [users[id].domain] };
      }
      await unbind(warren.facts.database, everyone);
      const gateways = await ForeignGateways.start(warren.facts, providers);
      const metadata = await (await fetch(`${gateways.hub}/auth/saml/metadata`)).text();
      await realms.signed.trust(metadata, { 'saml.encrypt': 'false' });
      await realms.encrypted.trust(metadata);
      await realms.created.create(gateways.hub, gateways.signing.cert);
      await use({ gateways, realms });
      await gateways.stop();
      for (const id of ids) await realms[id].remove();
      await unbind(warren.facts.database, everyone);
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

const submit = (page: Page) => page.locator('#kc-login');

for (const provider of ids) {
  const { who } = users[provider];
  test.describe(`Keycloak with ${provider} assertions`, () => {
    test('signs a person in; signing out at the hub signs out there too', async ({ contexts, foreign }) => {
      const { hub } = foreign.gateways;
      const page = await contexts.page();
      const answered = page.waitForRequest((request) => request.url() === `${hub}/auth/saml/acs`);
      await signInAt(page, hub, { provider, who, submit });
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
      await signInAt(page, hub, { provider, who, submit });
      await page.goto(`${foreign.realms[provider].url}/protocol/openid-connect/logout`);
      await page.locator('#kc-logout').click();
      await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible();
      expect(await sessionStatus(page, hub)).toBe(401);
    });
  });
}
