import type { Request } from '@playwright/test';
import { Shell } from '../../pages/shell.ts';
import { ids, test, users } from '../../support/foreign/keycloak.fixtures.ts';
import { formWith, keptSession, nextAnswer, sessionStatus, signInAt } from '../../support/foreign/sign-in.ts';
import { expect, measured } from '../../support/test.ts';

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
