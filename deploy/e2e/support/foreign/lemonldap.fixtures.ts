import type { Page } from '@playwright/test';
import { person, type Who } from '../people.ts';
import { test as base } from '../test.ts';
import { ForeignGateways } from './gateways.ts';
import { Lemonldap } from './lemonldap.ts';
import { discover, hubClient, type OpenIdHub } from './openid.ts';
import { unbind, type SignInForm } from './sign-in.ts';

/** Who signs in by SAML. */
export const who = 'member';
/** A user of the hub that the access rule of LemonLDAP::NG excludes. */
export const refused = 'admin';
const everyone: readonly Who[] = [who, refused];

/** Who signs in by OpenID Connect, and the provider's id at the hub. */
export const OPENID = { who: 'owner', provider: 'openid' } as const;

interface LemonldapFixtures {
  lemonldap: Lemonldap;
  /** A hub whose people sign in by SAML. */
  foreign: { gateways: ForeignGateways };
  /** A hub whose people sign in by OpenID Connect. */
  openId: OpenIdHub;
}

/** Tests at one LemonLDAP::NG. */
export const test = base.extend<object, LemonldapFixtures>({
  lemonldap: [
    // Playwright reads what a fixture needs from its first parameter's pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const lemonldap = await Lemonldap.start({
        people: [...everyone, OPENID.who].map(person),
        accessRule: `$mail ne '${person(refused).email}'`,
      });
      await use(lemonldap);
      await lemonldap.stop();
    },
    // The first run downloads LemonLDAP::NG.
    { scope: 'worker', timeout: 600_000 },
  ],
  foreign: [
    async ({ lemonldap, warren }, use) => {
      await unbind(warren.facts.database, everyone);
      const gateways = await ForeignGateways.start(warren.facts, {
        lemonldap: { metadataUrl: lemonldap.metadataUrl, domains: ['meadow.example'] },
      });
      await lemonldap.trust(await (await fetch(`${gateways.hub}/auth/saml/metadata`)).text());
      await use({ gateways });
      await gateways.stop();
      await unbind(warren.facts.database, everyone);
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  openId: [
    async ({ lemonldap, warren }, use) => {
      const { provider, who: person } = OPENID;
      await unbind(warren.facts.database, [person]);
      const gateways = await ForeignGateways.start(warren.facts, {}, async (hub) => {
        const client = hubClient(hub, provider);
        await lemonldap.addOpenId(client);
        const at = { issuer: lemonldap.url, clientId: client.id, clientSecret: client.secret };
        return { [provider]: { ...at, domains: ['meadow.example'], emailVerified: 'assumed' } };
      });
      const client = hubClient(gateways.hub, provider);
      await use({ gateways, client, discovery: await discover(lemonldap.url) });
      await gateways.stop();
      await unbind(warren.facts.database, [person]);
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

export const form: SignInForm = {
  user: (page: Page) => page.locator('input[name=user]'),
  password: (page: Page) => page.locator('input[name=password]'),
  submit: (page: Page) => page.locator('button[type=submit]').first(),
  /** Demonstration accounts have their name as the password. */
  secret: (email: string) => email,
};
