import { test as base } from '../test.ts';
import { createClient } from '../../pages/keycloak.ts';
import { person } from '../people.ts';
import { ForeignGateways, type ForeignProvider } from './gateways.ts';
import { Keycloak, type Realm } from './keycloak.ts';
import { discover, hubClient, type OpenIdHub } from './openid.ts';
import { unbind } from './sign-in.ts';

/** The user that signs in at each realm by SAML, and the e-mail domain of the realm. */
export const users = {
  signed: { who: 'member', domain: 'meadow.example' },
  encrypted: { who: 'operatorMember', domain: 'warren.example' },
  created: { who: 'otherMember', domain: 'harbour.example' },
} as const;
export const ids = ['signed', 'encrypted', 'created'] as const;
const everyone = ids.map((id) => users[id].who);

/** Who signs in by OpenID Connect, and the realm. */
export const OPENID = { who: 'owner', provider: 'openid' } as const;

interface Foreign {
  gateways: ForeignGateways;
  realms: Record<(typeof ids)[number], Realm>;
}

interface KeycloakFixtures {
  keycloak: Keycloak;
  /** A hub whose people sign in at three realms: one that signs, one that encrypts as well, and one whose client was created with all defaults. */
  foreign: Foreign;
  /** A hub whose people sign in at a fourth realm by OpenID Connect. */
  openId: OpenIdHub & { realm: Realm };
}

/** Tests at one Keycloak. */
export const test = base.extend<object, KeycloakFixtures>({
  keycloak: [
    // Playwright reads what a fixture needs from its first parameter's pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const keycloak = await Keycloak.start();
      await use(keycloak);
      await keycloak.stop();
    },
    // The first run downloads Keycloak.
    { scope: 'worker', timeout: 900_000 },
  ],
  foreign: [
    async ({ browser, keycloak, warren }, use) => {
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
      await unbind(warren.facts.database, everyone);
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  openId: [
    async ({ keycloak, warren }, use) => {
      const { provider, who } = OPENID;
      const realm = await keycloak.realm(provider);
      await realm.add(person(who));
      await unbind(warren.facts.database, [who]);
      const gateways = await ForeignGateways.start(warren.facts, {}, async (hub) => {
        const client = hubClient(hub, provider);
        await realm.addOpenId(client);
        const { id: clientId, secret: clientSecret } = client;
        return { [provider]: { issuer: realm.url, clientId, clientSecret, domains: ['meadow.example'] } };
      });
      const client = hubClient(gateways.hub, provider);
      await use({ gateways, client, realm, discovery: await discover(realm.url) });
      await gateways.stop();
      await unbind(warren.facts.database, [who]);
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});
