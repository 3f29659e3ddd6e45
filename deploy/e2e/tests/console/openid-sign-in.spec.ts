import { OpenIdProvider } from '@warren/infra/openid';
import { Shell } from '../../pages/shell.ts';
import { socketToken } from '../../support/api.ts';
import { query } from '../../support/database.ts';
import { ForeignGateways } from '../../support/foreign/gateways.ts';
import { hubClient } from '../../support/foreign/openid.ts';
import { keptSession, sessionStatus, unbind } from '../../support/foreign/sign-in.ts';
import { person } from '../../support/people.ts';
import { openSocket } from '../../support/socket.ts';
import { expect, test as base } from '../../support/test.ts';

const WHO = 'member';
const { email, name } = person(WHO);

interface OpenId {
  gateways: ForeignGateways;
  provider: OpenIdProvider;
  other: OpenIdProvider;
}

/** A hub whose people sign in at an OpenID Connect provider, beside one that nobody uses. */
const test = base.extend<object, { openId: OpenId }>({
  openId: [
    async ({ warren }, use) => {
      await unbind(warren.facts.database, [WHO]);
      const started: OpenIdProvider[] = [];
      const start = async (hub: string, id: string) => {
        const client = hubClient(hub, id);
        const provider = await OpenIdProvider.start(client);
        started.push(provider);
        return { issuer: provider.issuer, clientId: client.id, clientSecret: client.secret };
      };
      const gateways = await ForeignGateways.start(warren.facts, {}, async (hub) => ({
        meadow: { ...(await start(hub, 'meadow')), domains: ['meadow.example'] },
        harbour: { ...(await start(hub, 'harbour')), domains: ['harbour.example'] },
      }));
      const [provider, other] = started;
      if (!provider || !other) throw new Error('expected two providers');
      await use({ gateways, provider, other });
      await Promise.all([gateways.stop(), ...started.map((one) => one.stop())]);
      await unbind(warren.facts.database, [WHO]);
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

test.beforeEach(({ openId: { provider } }) => {
  provider.person = { sub: 'ann-1', email, email_verified: true, name };
});

test('a typed address leads to the provider of its domain; a logout there ends the session and its terminal within 2 s', async ({
  contexts,
  openId: { gateways, provider },
  warren,
}) => {
  const { hub } = gateways;
  const page = await contexts.page();
  await page.goto(`${hub}/profile`);
  await expect(page.getByRole('link', { name: 'harbour' })).toBeVisible();
  await page.getByLabel('Or enter your e-mail address').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(`${hub}/profile`);
  await expect(new Shell(page).userMenu).toHaveAccessibleName(`Your menu: ${name}`);
  const token = await socketToken(page.request, warren.facts.device.id, hub);
  const socket = await openSocket(warren.facts.hub, token);
  const ended = new Promise<number>((resolve) => socket.once('disconnect', () => resolve(Date.now())));
  await page.goto(`${provider.issuer}/session/end`);
  const asked = Date.now();
  await page.getByRole('button', { name: /yes/i }).click();
  expect((await ended) - asked).toBeLessThan(2_000);
  expect(await sessionStatus(page, hub)).toBe(401);
});

test('signing out at the hub signs out at the provider, and comes back', async ({ contexts, openId, warren }) => {
  const { hub } = openId.gateways;
  const page = await contexts.page();
  await page.goto(`${hub}/auth/saml/login?provider=meadow&RelayState=/profile`);
  await expect(page).toHaveURL(`${hub}/profile`);
  const status = await keptSession(page, hub);
  await new Shell(page).signOut();
  await page.getByRole('button', { name: /yes/i }).click();
  await expect(page).toHaveURL(new RegExp(`^${hub}/auth/saml/signed-out`));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Signed out');
  expect(await status()).toBe(401);
  const [row] = await query<{ subject: string }>(
    warren.facts.database,
    'SELECT subject FROM tenancy.users WHERE email = $1',
    [email],
  );
  expect(row?.subject).toBe(`${openId.provider.issuer} ann-1`);
});

test('another subject with the address, or the other provider, is refused', async ({ contexts, openId }) => {
  const { hub } = openId.gateways;
  const page = await contexts.page();
  await page.goto(`${hub}/auth/saml/login?provider=meadow&RelayState=/profile`);
  await expect(page).toHaveURL(`${hub}/profile`);
  const other = await contexts.page();
  openId.provider.person = { sub: 'eve-1', email, email_verified: true };
  await other.goto(`${hub}/auth/saml/login?provider=meadow&RelayState=/profile`);
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('This address belongs to another sign-in');
  expect(await sessionStatus(other, hub)).toBe(401);
  openId.other.person = { sub: 'ann-1', email, email_verified: true };
  await other.goto(`${hub}/auth/saml/login?provider=harbour&RelayState=/profile`);
  await expect(other.getByRole('main')).toContainText('may not sign in people of your e-mail address here');
  expect(await sessionStatus(other, hub)).toBe(401);
});
