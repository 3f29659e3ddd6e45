import { expect, test as base } from '../../support/test.ts';
import { Shell } from '../../pages/shell.ts';
import { socketToken } from '../../support/api.ts';
import { query } from '../../support/database.ts';
import { ForeignGateways } from '../../support/foreign/gateways.ts';
import { makeKeys } from '../../support/foreign/keys.ts';
import { decoded, encoded, signed, unsigned } from '../../support/foreign/resign.ts';
import { formWith, sessionStatus, signInAt, unbind } from '../../support/foreign/sign-in.ts';
import { SimpleSaml } from '../../support/foreign/simplesamlphp.ts';
import { askSimpleSaml } from '../../support/foreign/walk.ts';
import { everybody, person } from '../../support/people.ts';
import { postAnswer } from '../../support/saml.ts';
import { openSocket } from '../../support/socket.ts';

/** The user that signs in at each provider. Other test files sign the same users in at the copy's own. */
const users = { signed: 'member', encrypted: 'operatorMember' } as const;

interface Foreign {
  gateways: ForeignGateways;
  signed: SimpleSaml;
  encrypted: SimpleSaml;
}

/** A hub whose people sign in at two SimpleSAMLphp: one that signs, and one that encrypts as well and signs out in frames. */
const test = base.extend<object, { foreign: Foreign }>({
  foreign: [
    async ({ warren }, use) => {
      const people = everybody.map(person);
      const [plain, encrypted] = await Promise.all(
        [false, true].map((sealed) => SimpleSaml.start({ encrypted: sealed, frames: sealed, people })),
      );
      if (!plain || !encrypted) throw new Error('expected two providers');
      await unbind(warren.facts.database, Object.values(users));
      const gateways = await ForeignGateways.start(warren.facts, {
        signed: { metadataUrl: plain.metadataUrl, domains: ['meadow.example'] },
        encrypted: { metadataUrl: encrypted.metadataUrl, domains: ['warren.example'] },
      });
      const metadata = await (await fetch(`${gateways.hub}/auth/saml/metadata`)).text();
      await Promise.all([plain.trust(metadata), encrypted.trust(metadata)]);
      await use({ gateways, signed: plain, encrypted });
      await Promise.all([gateways.stop(), plain.stop(), encrypted.stop()]);
      await unbind(warren.facts.database, Object.values(users));
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

const { email } = person(users.signed);

const form = formWith('#submit_button');

for (const provider of ['signed', 'encrypted'] as const) {
  const who = users[provider];
  test.describe(`SimpleSAMLphp with ${provider} assertions`, () => {
    test('signs a person in; signing out at the hub signs out there too', async ({ contexts, foreign }) => {
      const { hub } = foreign.gateways;
      const page = await contexts.page();
      await signInAt(page, hub, { provider, who, form });
      await new Shell(page).signOut();
      await expect(page).toHaveURL(`${hub}/auth/saml/signed-out`);
      expect(await sessionStatus(page, hub)).toBe(401);
      await page.goto(`${hub}/auth/saml/login?provider=${provider}`);
      await expect(page.locator('#password')).toBeVisible();
    });

    test('signs out at the hub on a logout there, and ends the shell', async ({ contexts, foreign, warren }) => {
      const { hub } = foreign.gateways;
      const page = await contexts.page();
      await signInAt(page, hub, { provider, who, form });
      const token = await socketToken(page.request, warren.facts.device.id, hub);
      const socket = await openSocket(warren.facts.hub, token);
      const ended = new Promise((resolve) => socket.once('disconnect', resolve));
      const idp = foreign[provider].url;
      const asked = page.waitForRequest((request) => request.url().startsWith(`${hub}/auth/saml/slo?SAMLRequest=`));
      await page.goto(`${idp}/saml2/idp/SingleLogoutService.php?ReturnTo=${encodeURIComponent(`${idp}/logout.php`)}`);
      if (provider === 'encrypted') await page.locator('[name=ok]').first().click();
      const inFrame = (await asked).frame().parentFrame() !== null;
      expect(inFrame).toBe(provider === 'encrypted');
      await expect(page).toHaveURL(`${idp}/logout.php`);
      expect(await sessionStatus(page, hub)).toBe(401);
      await ended;
    });

    test('may post its answer to either gateway, once', async ({ request, foreign }) => {
      const { hub, other } = foreign.gateways;
      const answer = await askSimpleSaml(request, hub, { provider, email: person(who).email });
      expect(decoded(answer.SAMLResponse)).toContain(
        provider === 'encrypted' ? 'EncryptedAssertion' : '<saml:Assertion',
      );
      const first = await postAnswer(request, { ...answer, acs: answer.acs.replace(hub, other) });
      expect([first.status(), first.headers()['location']]).toEqual([303, '/profile']);
      for (const at of [hub, other]) {
        const again = await postAnswer(request, { ...answer, acs: answer.acs.replace(hub, at) });
        expect(again.status()).toBe(403);
      }
    });
  });
}

/** The reasons of refused sign-ins in the audit trail, oldest first. */
async function refusals(database: string): Promise<string[]> {
  const rows = await query<{ reason: string }>(
    database,
    `SELECT event->>'reason' AS reason FROM audit.events WHERE action = 'session.sign_in' AND outcome > 1 ORDER BY id`,
  );
  return rows.map(({ reason }) => reason);
}

const past = () => new Date(Date.now() - 3_600_000).toISOString().replace(/\.\d+/, '');
const changed = (xml: string, from: RegExp, to: string) => {
  if (!from.test(xml)) throw new Error(`the answer has nothing like ${from}`);
  return xml.replaceAll(new RegExp(from.source, 'g'), to);
};
const assertionOf = (xml: string) => /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? '';
const forgedOf = (xml: string) =>
  unsigned(assertionOf(xml))
    .replace(/ ID="[^"]+"/, ' ID="_forged"')
    .replaceAll(email, person('superAdmin').email);

type Change = (xml: string, foreign: Foreign) => string | Promise<string>;
const resigned =
  (from: RegExp, to: () => string): Change =>
  (xml, { signed: provider }) =>
    signed(changed(xml, from, to()), provider.keys);

/** Real answers of SimpleSAMLphp, changed; and, where stated, signed again with its key. */
const refused: [string, Change, RegExp][] = [
  ['for another audience', resigned(/<saml:Audience>[^<]+/, () => '<saml:Audience>https://other.test'), /audience/i],
  [
    'that has expired',
    resigned(/NotOnOrAfter="[^"]+"/, () => `NotOnOrAfter="${past()}"`),
    /expired|subject confirmation/,
  ],
  [
    'for another recipient',
    resigned(/Recipient="[^"]+"/, () => 'Recipient="https://other.test/acs"'),
    /subject confirmation/,
  ],
  ['sent elsewhere', resigned(/Destination="[^"]+"/, () => 'Destination="https://other.test/acs"'), /Destination/],
  ['to an unknown request', resigned(/InResponseTo="[^"]+"/, () => 'InResponseTo="_nobody"'), /InResponseTo/],
  ['without a signature', (xml) => unsigned(xml), /signature/i],
  ['signed by a key that is not its own', async (xml) => signed(xml, await makeKeys('somebody')), /signature/i],
  [
    'changed after it was signed',
    (xml) => changed(xml, new RegExp(email), person('superAdmin').email),
    /signature|digest/i,
  ],
  [
    'with a forged assertion before the signed one',
    (xml) => xml.replace(assertionOf(xml), forgedOf(xml) + assertionOf(xml)),
    /signature/i,
  ],
  [
    'with the signed assertion wrapped in a forged one',
    (xml) =>
      xml.replace(assertionOf(xml), forgedOf(xml).replace('</saml:Issuer>', `</saml:Issuer>${assertionOf(xml)}`)),
    /signature/i,
  ],
  [
    'with the signed assertion moved into extensions',
    (xml) => xml.replace(assertionOf(xml), `<samlp:Extensions>${assertionOf(xml)}</samlp:Extensions>${forgedOf(xml)}`),
    /signature/i,
  ],
];

for (const [what, change, reason] of refused) {
  test(`an answer ${what} is refused, and the audit trail tells why`, async ({ request, foreign, warren }) => {
    const answer = await askSimpleSaml(request, foreign.gateways.hub, { provider: 'signed', email });
    const before = (await refusals(warren.facts.database)).length;
    const xml = await change(decoded(answer.SAMLResponse), foreign);
    const came = await postAnswer(request, { ...answer, SAMLResponse: encoded(xml) });
    expect([came.status(), came.headers()['set-cookie']]).toEqual([403, undefined]);
    expect(await came.text()).toContain('Sign-in not accepted');
    await expect
      .poll(async () => (await refusals(warren.facts.database)).slice(before))
      .toEqual([expect.stringMatching(reason)]);
  });
}

test('an unchanged answer that is signed again is accepted, and then refused for another request', async ({
  request,
  foreign,
  warren,
}) => {
  const { hub, other } = foreign.gateways;
  const ask = () => askSimpleSaml(request, hub, { provider: 'signed', email });
  const first = await ask();
  const xml = decoded(first.SAMLResponse);
  const taken = await postAnswer(request, { ...first, SAMLResponse: encoded(signed(xml, foreign.signed.keys)) });
  expect(taken.status()).toBe(303);
  const before = (await refusals(warren.facts.database)).length;
  const [, fresh = ''] = /InResponseTo="([^"]+)"/.exec(decoded((await ask()).SAMLResponse)) ?? [];
  const again = signed(changed(xml, /InResponseTo="[^"]+"/, `InResponseTo="${fresh}"`), foreign.signed.keys);
  const came = await postAnswer(request, {
    ...first,
    acs: first.acs.replace(hub, other),
    SAMLResponse: encoded(again),
  });
  expect(came.status()).toBe(403);
  await expect
    .poll(async () => (await refusals(warren.facts.database)).slice(before))
    .toEqual([expect.stringContaining('assertion used before')]);
});
