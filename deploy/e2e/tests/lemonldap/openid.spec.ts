import { Shell } from '../../pages/shell.ts';
import { form, OPENID, test } from '../../support/foreign/lemonldap.fixtures.ts';
import { expectWrongSecret, nextRequest, withoutPkce } from '../../support/foreign/openid.ts';
import { keptSession, sessionStatus, signInAt } from '../../support/foreign/sign-in.ts';
import { person } from '../../support/people.ts';
import { expect } from '../../support/test.ts';

/** LemonLDAP::NG asks nobody again who signed in within this (`portalForceAuthnInterval`). */
const ASKS_AGAIN_MS = 5_000;
const { provider, who } = OPENID;
const { email } = person(who);

test.skip(process.getuid?.() !== 0, 'chroot needs root');

test('signs a person in with PKCE, which it requires; signing out at the hub signs out there too', async ({
  contexts,
  openId: { gateways, discovery },
}) => {
  const { hub } = gateways;
  const page = await contexts.page();
  const asked = nextRequest(page, discovery);
  await signInAt(page, hub, { provider, who, form });
  expect(Object.fromEntries(await asked)).toMatchObject({ response_type: 'code', code_challenge_method: 'S256' });
  const refused = await withoutPkce(page, discovery, await asked);
  expect([refused.get('error'), refused.get('code')]).toEqual(['invalid_request', null]);
  const status = await keptSession(page, hub);
  await new Shell(page).signOut();
  await expect(page).toHaveURL(`${hub}/auth/saml/signed-out`);
  expect(await status()).toBe(401);
  await page.goto(`${hub}/auth/saml/login?provider=${provider}`);
  await expect(form.password(page)).toBeVisible();
});

test('asks for the password again where a recent sign-in is needed', async ({ contexts, openId }) => {
  const { hub } = openId.gateways;
  const page = await contexts.page();
  await signInAt(page, hub, { provider, who, form });
  const signedIn = Date.now();
  await page.goto(`${hub}/auth/saml/login?provider=${provider}&RelayState=/profile`);
  await expect(page).toHaveURL(`${hub}/profile`);
  const former = await keptSession(page, hub);
  await expect.poll(() => Date.now() - signedIn).toBeGreaterThan(ASKS_AGAIN_MS + 1_000);
  const asked = nextRequest(page, openId.discovery);
  await page.goto(`${hub}/auth/saml/login?recent=yes&RelayState=/profile`);
  expect(Object.fromEntries(await asked)).toMatchObject({ max_age: '0', prompt: 'login' });
  await page.getByRole('button', { name: 'Renew session' }).click();
  await form.password(page).fill(form.secret(email));
  await form.submit(page).click();
  await expect(page).toHaveURL(`${hub}/profile`);
  expect([await sessionStatus(page, hub), await former()]).toEqual([200, 401]);
});

test('reports no logouts by back channel, so the session at the hub continues', async ({
  contexts,
  lemonldap,
  openId,
}) => {
  const { hub } = openId.gateways;
  expect(openId.discovery.backchannel_logout_supported).toBe(false);
  const page = await contexts.page();
  await signInAt(page, hub, { provider, who, form });
  await page.goto(`${lemonldap.url}/?logout=1`);
  await expect(page.getByText('You have been disconnected')).toBeVisible();
  expect(await sessionStatus(page, hub)).toBe(200);
});

test('the sign-in doctor names a wrong client secret; a corrected one needs no restart', async ({
  contexts,
  enter,
  openId: { gateways, client },
}) => {
  const { hub } = gateways;
  const page = await contexts.page();
  await gateways.setSecret(provider, 'another secret');
  try {
    await page.goto(`${hub}/auth/saml/login?provider=${provider}&RelayState=/profile`);
    await form.user(page).fill(email);
    await form.password(page).fill(form.secret(email));
    await form.submit(page).click();
    await expect(page.getByRole('main')).toContainText("does not accept this hub's own credentials");
    expect(await sessionStatus(page, hub)).toBe(401);
    await expectWrongSecret(await enter('superAdmin'), hub, provider);
  } finally {
    await gateways.setSecret(provider, client.secret);
  }
  await page.goto(`${hub}/auth/saml/login?provider=${provider}&RelayState=/profile`);
  await expect(page).toHaveURL(`${hub}/profile`);
});
