import { expect, measured, test as base } from '../../support/test.ts';
import { createClient } from '../../pages/keycloak.ts';
import { Shell } from '../../pages/shell.ts';
import { ForeignGateways, type ForeignProvider } from '../../support/foreign/gateways.ts';
import { Keycloak, type Realm } from '../../support/foreign/keycloak.ts';
import { formWith, keptSession, nextAnswer, sessionStatus, signInAt, unbind } from '../../support/foreign/sign-in.ts';
import { person } from '../../support/people.ts';
import type { Request } from '@playwright/test';

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

/** A hub whose people sign in at three realms of a Keycloak: one that signs, one that encrypts as well, and one whose client was created with all defaults. */
const test = base.extend<object, { foreign: Foreign }>({
  foreign: [
    async ({ browser, warren }, use) => {
      const keycloak = await Keycloak.start();
      const realms = {
        signed: await keycloak.realm('signed'),
        encrypted: await keycloak.realm('encrypted'),
        created: await keycloak.realm('created'),
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
      const context = await browser.newContext();
      await createClient(await context.newPage(), realms.created, {
        clientId: `${gateways.hub}/auth/saml/metadata`,
        acs: `${gateways.hub}/auth/saml/acs`,
        certificate: gateways.signing.cert,
      });
      await context.close();
      await use({ gateways, realms });
      await gateways.stop();
      await keycloak.stop();
      await unbind(warren.facts.database, everyone);
    },
    // The first run downloads Keycloak.
    { scope: 'worker', timeout: 900_000 },
  ],
});

/** Whether the browser brings a logout request of the provider to the hub. */
const asksForLogout = (request: Request, hub: string) =>
  request.url().startsWith(`${hub}/auth/saml/`) && (request.postData() ?? '').includes('SAMLRequest=');

const form = formWith('#kc-login');

for (const provider of ids) {
  const { who } = users[provider];
  test.describe(`Keycloak with ${provider} assertions`, () => {
    test('signs a person in; signing out at the hub signs out there too', async ({ contexts, foreign }) => {
      const { hub } = foreign.gateways;
      const page = await contexts.page();
      const answer = nextAnswer(page, hub);
      await signInAt(page, hub, { provider, who, form });
      expect(await answer).toContain(provider === 'encrypted' ? 'EncryptedAssertion' : '<saml:Assertion');
      await new Shell(page).signOut();
      await expect(page).toHaveURL(`${hub}/auth/saml/signed-out`);
      expect(await sessionStatus(page, hub)).toBe(401);
      await page.goto(`${hub}/auth/saml/login?provider=${provider}`);
      await expect(page.locator('#password')).toBeVisible();
    });

    test('signs out at the hub on a logout there, through the browser', async ({ contexts, foreign }) => {
      const { hub } = foreign.gateways;
      const page = await contexts.page();
      await signInAt(page, hub, { provider, who, form });
      const status = await keptSession(page, hub);
      expect(await status()).toBe(200);
      const logout = page.waitForRequest((request) => asksForLogout(request, hub));
      await page.goto(`${foreign.realms[provider].url}/protocol/openid-connect/logout`);
      const since = Date.now();
      await page.locator('#kc-logout').click();
      await logout;
      await expect.poll(status).toBe(401);
      measured('logout at Keycloak until the session at the hub has ended', Date.now() - since, 'ms');
      await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible();
    });
  });
}
