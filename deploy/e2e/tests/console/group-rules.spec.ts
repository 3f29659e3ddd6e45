import { request } from '@playwright/test';
import { OpenIdProvider } from '@warren/infra/openid';
import { Dialog } from '../../pages/dialog.ts';
import { ForeignGateways } from '../../support/foreign/gateways.ts';
import type { Office } from '../../support/office.ts';
import { askProvider, postAnswer } from '../../support/saml.ts';
import { expect, measured, test } from '../../support/test.ts';

const PROMISED_MS = 2_000;

/** The name of the group of a user. */
async function groupOf(office: Office, { id }: { id: string }): Promise<string> {
  const { result } = await office.call<{ result: { group: { name: string } } }>('GET', `/api/users/${id}`);
  return result.group.name;
}

test('groups of a SAML assertion decide the group of a user, whose access ends within 2 s after the group at the provider has', async ({
  enter,
  estate,
  office,
  warren,
}) => {
  const { hub } = warren.facts;
  const owner = await estate.owner('Olga Reed');
  const user = await estate.user('Uma Li');
  const crew = await estate.makeGroup('Field crew');
  await office.call('PUT', `/api/accounts/${estate.id}/access`, { mode: 'explicit' });
  const device = await estate.device('Orchard pump');
  const grant = { subject: { kind: 'group', id: crew.id }, permissions: ['view'], filter: '', note: '' };
  await office.call('POST', `/api/accounts/${estate.id}/grants`, grant);

  const page = await enter(owner.email);
  await page.goto(`/scim/${estate.id}`);
  await page.getByRole('button', { name: 'Add group rule' }).click();
  const adding = new Dialog(page, 'Add group rule');
  await adding.root.getByRole('textbox', { name: 'Group at the provider' }).fill('crew');
  await adding.root.getByRole('combobox', { name: 'Warren group' }).click();
  await page.getByRole('option', { name: 'Field crew' }).click();
  await adding.confirm('Add rule');
  const row = page.getByRole('table', { name: 'Group rules' }).getByRole('row').filter({ hasText: 'crew' }).last();
  await expect(row).toContainText('Field crew');

  const signIn = async (groups: string) => {
    const context = await request.newContext({ baseURL: hub });
    const answer = await askProvider(context, user.email, '/', groups);
    expect((await postAnswer(context, answer)).status()).toBe(303);
    return context;
  };
  const first = await signIn('crew, others');
  const sees = async () => (await first.get(`/api/devices/${device.id}`)).status();
  expect(await sees()).toBe(200);
  await page.reload();
  await expect(row.getByRole('cell', { name: '1', exact: true })).toBeVisible();

  const from = performance.now();
  const second = await signIn('others');
  await expect.poll(sees, { intervals: [50] }).toBe(404);
  const took = performance.now() - from;
  measured('from a sign-in without the group to the end of its access', took, 'ms');
  expect(took).toBeLessThan(PROMISED_MS);
  expect(await groupOf(office, user)).toBe('Members');
  await Promise.all([first.dispose(), second.dispose()]);
  await expect(async () => {
    await page.goto(`/audit?${new URLSearchParams({ search: 'no group rule matches any more' })}`);
    await expect(page.getByRole('listitem').filter({ hasText: 'Change group' }).first()).toBeVisible({
      timeout: 5_000,
    });
  }).toPass({ timeout: 30_000 });
});

test('groups of an ID token decide the group of a user; a reference to them leaves it', async ({
  contexts,
  estate,
  office,
  warren,
}) => {
  const crew = await estate.makeGroup('Field crew');
  const user = await estate.user('Ada Li');
  let started: OpenIdProvider | undefined;
  const gateways = await ForeignGateways.start(warren.facts, {}, async (at) => {
    const callback = `${at}/auth/oidc/grove`;
    const client = {
      id: 'warren',
      secret: 'the secret of the hub at its provider',
      redirectUri: `${callback}/callback`,
      logoutUri: `${callback}/backchannel-logout`,
      signedOutUri: `${at}/auth/saml/signed-out`,
    };
    started = await OpenIdProvider.start(client);
    const { id: clientId, secret: clientSecret } = client;
    return { grove: { issuer: started.issuer, clientId, clientSecret, domains: ['orchard.example'] } };
  });
  const provider = started as unknown as OpenIdProvider;
  try {
    const { hub } = gateways;
    const superAdmin = (await office.inviting()).cookie;
    const set = await fetch(`${hub}/api/accounts/${estate.id}/group_rules`, {
      method: 'PUT',
      headers: { cookie: superAdmin, origin: hub, 'content-type': 'application/json' },
      body: JSON.stringify({ rules: [{ provider: 'grove', value: 'crew', group: crew.id }] }),
    });
    expect([set.status, await set.text()]).toEqual([200, expect.stringContaining('"problem":null')]);
    await office.call('POST', `/api/users/${user.id}/reset_sign_in`);
    const signIn = async (claims: object) => {
      provider.person = { sub: user.email, email: user.email, email_verified: true, ...claims };
      const page = await contexts.page();
      await page.goto(`${hub}/auth/saml/login?provider=grove&RelayState=/profile`);
      await expect(page).toHaveURL(`${hub}/profile`);
    };
    await signIn({ groups: ['crew', 'others'] });
    expect(await groupOf(office, user)).toBe('Field crew');
    await signIn({ _claim_names: { groups: 'src1' } });
    expect(await groupOf(office, user)).toBe('Field crew');
    await signIn({ groups: [] });
    expect(await groupOf(office, user)).toBe('Members');
  } finally {
    await Promise.all([gateways.stop(), provider.stop()]);
  }
});
