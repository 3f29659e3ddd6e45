import type { Page } from '@playwright/test';
import { form, OPENID, test } from '../../support/foreign/lemonldap.fixtures.ts';
import {
  expectPasswordAgain,
  expectSignOutEverywhere,
  expectWrongSecret,
  signInWithPkce,
} from '../../support/foreign/openid.ts';
import { sessionStatus, signInAt } from '../../support/foreign/sign-in.ts';
import { person } from '../../support/people.ts';
import { expect } from '../../support/test.ts';

/** LemonLDAP::NG asks nobody again who signed in within this (`portalForceAuthnInterval`). */
const ASKS_AGAIN_MS = 5_000;
const { provider, who } = OPENID;
const { email } = person(who);
const signIn = { provider, who, form };

test.skip(process.getuid?.() !== 0, 'chroot needs root');

/** Renews the session at the provider, which asks for the password only. */
async function renewSession(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Renew session' }).click();
  await form.password(page).fill(form.secret(email));
  await form.submit(page).click();
}

test('signs a person in with PKCE, which it requires; signing out at the hub signs out there too', async ({
  contexts,
  openId,
}) => {
  const page = await contexts.page();
  await signInWithPkce(page, openId, signIn);
  await expectSignOutEverywhere(page, openId.gateways.hub, signIn);
});

test('asks for the password again where a recent sign-in is needed', async ({ contexts, openId }) => {
  const after = ASKS_AGAIN_MS + 1_000;
  await expectPasswordAgain(await contexts.page(), openId, signIn, { after, wanted: {}, again: renewSession });
});

test('reports no logouts by back channel, so the session at the hub continues', async ({
  contexts,
  lemonldap,
  openId,
}) => {
  const { hub } = openId.gateways;
  expect(openId.discovery.backchannel_logout_supported).toBe(false);
  const page = await contexts.page();
  await signInAt(page, hub, signIn);
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
