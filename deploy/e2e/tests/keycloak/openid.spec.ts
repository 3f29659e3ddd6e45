import type { Page } from '@playwright/test';
import { socketToken } from '../../support/api.ts';
import { query } from '../../support/database.ts';
import { OPENID, test } from '../../support/foreign/keycloak.fixtures.ts';
import {
  expectPasswordAgain,
  expectSignOutEverywhere,
  expectWrongSecret,
  signInWithPkce,
} from '../../support/foreign/openid.ts';
import { formWith, keptSession, sessionStatus, signInAt } from '../../support/foreign/sign-in.ts';
import { person } from '../../support/people.ts';
import { openSocket } from '../../support/socket.ts';
import { expect, measured } from '../../support/test.ts';

/** Sessions, terminals and desktops end within this after a logout at the provider. */
const PROMISED_MS = 2_000;
const form = formWith('#kc-login');
const { provider, who } = OPENID;
const { email } = person(who);
const signIn = { provider, who, form };

/** Types the password only: Keycloak knows the user when it asks again. */
async function typePassword(page: Page): Promise<void> {
  await form.password(page).fill(form.secret(email));
  await form.submit(page).click();
}

test('signs a person in with PKCE, which Keycloak requires; signing out at the hub signs out there too', async ({
  contexts,
  openId,
  warren,
}) => {
  const page = await contexts.page();
  await signInWithPkce(page, openId, signIn);
  const [row] = await query<{ subject: string }>(
    warren.facts.database,
    'SELECT subject FROM tenancy.users WHERE email = $1',
    [email],
  );
  expect(row?.subject).toMatch(new RegExp(`^${openId.discovery.issuer} [\\da-f-]{36}$`));
  await expectSignOutEverywhere(page, openId.gateways.hub, signIn);
});

test('asks for the password again where a recent sign-in is needed', async ({ contexts, openId }) => {
  // The hub refuses an `auth_time` before its question; the former one has to be in an earlier second.
  const after = 1_000;
  const wanted = { login_hint: email };
  await expectPasswordAgain(await contexts.page(), openId, signIn, { after, wanted, again: typePassword });
});

test('a logout at Keycloak ends the session and its terminal within 2 s', async ({
  contexts,
  openId: { gateways, realm },
  warren,
}) => {
  const { hub } = gateways;
  const page = await contexts.page();
  await signInAt(page, hub, signIn);
  const status = await keptSession(page, hub);
  const socket = await openSocket(warren.facts.hub, await socketToken(page.request, warren.facts.device.id, hub));
  const ended = new Promise<number>((resolve) => socket.once('disconnect', () => resolve(Date.now())));
  await page.goto(`${realm.url}/protocol/openid-connect/logout`);
  const since = Date.now();
  await page.locator('#kc-logout').click();
  const took = (await ended) - since;
  measured('logout at Keycloak until the terminal has ended', took, 'ms');
  expect(took).toBeLessThan(PROMISED_MS);
  expect(await status()).toBe(401);
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
    await typePassword(page);
    await expect(page.getByRole('main')).toContainText("does not accept this hub's own credentials");
    expect(await sessionStatus(page, hub)).toBe(401);
    const boss = await enter('superAdmin');
    await expectWrongSecret(boss, hub, provider);
    await boss.getByRole('button', { name: `Try a sign-in: ${provider}` }).click();
    await form.user(boss).fill(email);
    await typePassword(boss);
    await expect(boss.getByRole('heading', { level: 1 })).toHaveText('This sign-in fails');
    await expect(boss.getByRole('main')).toContainText('Correct clientId and the file of clientSecretFile');
  } finally {
    await gateways.setSecret(provider, client.secret);
  }
  await page.goto(`${hub}/auth/saml/login?provider=${provider}&RelayState=/profile`);
  await expect(page).toHaveURL(`${hub}/profile`);
});
