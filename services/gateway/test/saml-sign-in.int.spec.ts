import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HUB } from './gateway.ts';
import { SamlGateway } from './saml.gateway.ts';
import { decode, encode, TestIdp, type AnswerOptions } from './saml.idp.ts';

const ENTITY = 'https://idp.test/metadata';
let idp: TestIdp;
let saml: SamlGateway;

beforeAll(async () => {
  idp = await TestIdp.make(ENTITY, HUB);
  saml = await SamlGateway.start(HUB, { default: idp });
});
afterAll(() => saml?.stop());
beforeEach(() => {
  saml.signIns.length = 0;
  saml.refusals.length = 0;
});

const emailOf = () => saml.signIns[0]?.saml?.email;

/** Answers a new sign-in as a provider would, with what a test changes; the xml may be changed after it was signed. */
async function answered(options: Partial<AnswerOptions> = {}, tamper = (xml: string) => xml, by = idp) {
  const { id } = await saml.login();
  return saml.acs(encode(tamper(decode(await by.answer({ inResponseTo: id, ...options })))));
}

async function expectRefused(answer: Awaited<ReturnType<typeof answered>>, reason: RegExp): Promise<void> {
  expect(answer.status).toBe(403);
  expect(answer.headers['content-type']).toMatch(/^text\/html/);
  expect(answer.headers['set-cookie']).toBeUndefined();
  expect(answer.text).toContain('Sign-in not accepted');
  expect(answer.text).toContain(answer.headers['x-request-id']);
  expect(saml.signIns).toHaveLength(0);
  expect(saml.refusals.map((refusal) => refusal.reason).join()).toMatch(reason);
  // The page hides the reason.
  expect(answer.text).not.toContain(saml.refusals[0]?.reason);
}

describe('the login', () => {
  it('sends the browser to the provider, asking for no particular way to sign in', async () => {
    const { answer, location, xml } = await saml.login('?RelayState=/devices');
    expect(answer.status).toBe(302);
    expect(location).toMatch(/^https:\/\/idp\.test\/sso\?/);
    expect(new URL(location).searchParams.get('RelayState')).toBe('/devices');
    expect(xml).toContain(`AssertionConsumerServiceURL="${HUB}/auth/saml/acs"`);
    expect(xml).toContain(`${HUB}/auth/saml/metadata`);
    expect(xml).not.toMatch(/AuthnContext|PasswordProtected/);
  });

  it.each(['//evil.test', 'https://evil.test/', '/\\evil.test', '/%0d%0aSet-Cookie:a=b\r\n', '/..//evil.test'])(
    'does not carry %j along',
    async (path) => {
      const { location } = await saml.login(`?RelayState=${encodeURIComponent(path)}`);
      const relay = new URL(location).searchParams.get('RelayState') ?? '';
      expect(new URL(relay, HUB).origin).toBe(HUB);
      expect(relay).not.toMatch(/evil|[\r\n]{2}/);
    },
  );

  it('does not take an answer in the query for anything', async () => {
    const { answer, location } = await saml.login(
      `?SAMLResponse=${encodeURIComponent(await idp.answer({ inResponseTo: '_x' }))}`,
    );
    expect(answer.status).toBe(302);
    expect(location).toMatch(/^https:\/\/idp\.test\/sso\?/);
  });

  it('answers 404 with a page for a provider that is none', async () => {
    const { answer } = await saml.login('?provider=none');
    expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });
});

describe('a signed answer', () => {
  it('signs the person in and leads to the page that was asked for', async () => {
    const { id } = await saml.login('?RelayState=/devices?page=2');
    const answer = await saml.acs(await idp.answer({ inResponseTo: id, email: 'Ada@Hub.test' }), {
      RelayState: '/devices?page=2',
      cookie: `warren=${'p'.repeat(43)}`,
    });
    expect([answer.status, answer.headers.location]).toEqual([303, '/devices?page=2']);
    const [cookie] = answer.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^warren=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    expect(saml.signIns[0]).toMatchObject({
      saml: { provider: 'default', email: 'ada@hub.test', name: 'Ada Example', nameId: 'Ada@Hub.test' },
      previousSession: 'p'.repeat(43),
      remoteAddress: '127.0.0.1',
    });
  });

  it('is good with a signature on the assertion alone, and with one on the response alone', async () => {
    for (const options of [{ signResponse: false }, { signAssertion: false }]) {
      expect((await answered(options)).status).toBe(303);
    }
  });

  it.each([
    ['mail', { mail: 'x@hub.test' }],
    ['several values', { email: ['x@hub.test', 'y@hub.test'] }],
    ["Microsoft's claim", { 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress': 'X@hub.test' }],
  ])('reads the e-mail from %s', async (_what, claims) => {
    await answered({ claims, nameId: 'opaque', nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' });
    expect(emailOf()).toBe('x@hub.test');
  });

  it.each(['//evil.test/', 'https://evil.test/', '/\\evil.test', '/auth/saml/logout', 'javascript:alert(1)', ''])(
    'leads home, not to %j',
    async (RelayState) => {
      const { id } = await saml.login();
      const answer = await saml.acs(await idp.answer({ inResponseTo: id }), { RelayState });
      expect([answer.status, answer.headers.location]).toEqual([303, '/']);
    },
  );

  it('is not cut short by a comment in the e-mail', async () => {
    const tamper = (xml: string) => xml.replaceAll('>boss@hub.test.evil.test<', '>boss@hub.test<!---->.evil.test<');
    await answered({ email: 'boss@hub.test.evil.test' }, tamper);
    expect(emailOf()).toBe('boss@hub.test.evil.test');
  });
});

describe('an answer is refused', () => {
  it.each<[string, Partial<AnswerOptions>, RegExp]>([
    ['for another audience', { audience: 'https://other.test/metadata' }, /audience/],
    ['when it has expired', { seconds: -90 }, /expired|subject confirmation/],
    ['when it is for another recipient', { recipient: 'https://other.test/acs' }, /subject confirmation/],
    ['when it was sent elsewhere', { destination: 'https://other.test/acs' }, /Destination/],
    ['when it was not requested', { inResponseTo: undefined }, /InResponseTo/],
    ['when it answers an unknown request', { inResponseTo: '_nobody' }, /InResponseTo/],
    ['without any signature', { signAssertion: false, signResponse: false }, /signature/i],
    ['with SHA-1 signatures', { algorithm: 'rsa-sha1' }, /SignatureMethod|DigestMethod/],
    ['without an e-mail', { claims: { displayName: 'A' }, nameId: 'a', nameIdFormat: 'x' }, /e-mail/],
    ['with something else for an e-mail', { claims: { email: 'nobody' }, nameId: 'a', nameIdFormat: 'x' }, /e-mail/],
  ])('%s', async (_what, options, reason) => {
    await expectRefused(await answered(options), reason);
  });

  it('when a key signed it that the provider does not have', async () => {
    await expectRefused(await answered({}, undefined, await idp.forged()), /signature/i);
  });

  it('when a provider signed it that is not ours', async () => {
    const stranger = await TestIdp.make('https://stranger.test/', HUB);
    await expectRefused(await answered({}, undefined, stranger), /unknown issuer/);
  });

  it('when it comes a second time', async () => {
    const { id } = await saml.login();
    const response = await idp.answer({ inResponseTo: id });
    expect((await saml.acs(response)).status).toBe(303);
    saml.signIns.length = 0;
    await expectRefused(await saml.acs(response), /InResponseTo/);
  });

  it('all but once when it comes many times at once', async () => {
    const { id } = await saml.login();
    const response = await idp.answer({ inResponseTo: id });
    const answers = await Promise.all(Array.from({ length: 10 }, () => saml.acs(response)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(9);
  });

  it.each<[string, (xml: string) => string]>([
    ['was changed after signing', (xml) => xml.replaceAll('ada@hub.test', 'boss@hub.test')],
    ['has a document type', (xml) => `<!DOCTYPE a [<!ENTITY b "c">]>${xml}`],
    ['is no XML', () => 'hello'],
    ['is some other XML', () => '<html/>'],
  ])('when it %s', async (_what, tamper) => {
    await expectRefused(await answered({}, tamper), /./);
  });

  it('without a SAMLResponse at all', async () => {
    await expectRefused(await saml.post('/auth/saml/acs', 'a=b'), /no SAMLResponse/);
  });

  it('when it is larger than 512 KB, by a page', async () => {
    const answer = await saml.acs('A'.repeat(600 * 1024));
    expect([answer.status, answer.headers['content-type']]).toEqual([413, 'text/html; charset=utf-8']);
    expect(saml.signIns).toHaveLength(0);
  });
});

describe('signature wrapping', () => {
  const assertionOf = (xml: string) => /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? '';
  const signatureOf = (xml: string) => /<Signature[\s\S]*?<\/Signature>/.exec(assertionOf(xml))?.[0] ?? '';
  const evil = (xml: string, id = '_evil') =>
    assertionOf(xml)
      .replace(signatureOf(xml), '')
      .replace(/ID="[^"]+"/, `ID="${id}"`)
      .replaceAll('ada@hub.test', 'boss@hub.test');
  const idOf = (xml: string) => /ID="([^"]+)"/.exec(assertionOf(xml))?.[1] ?? '';

  const variants: [string, (xml: string) => string][] = [
    ['a second assertion before the signed one', (xml) => xml.replace(assertionOf(xml), evil(xml) + assertionOf(xml))],
    ['a second assertion after the signed one', (xml) => xml.replace(assertionOf(xml), assertionOf(xml) + evil(xml))],
    [
      'a second assertion of the same id',
      (xml) => xml.replace(assertionOf(xml), evil(xml, idOf(xml)) + assertionOf(xml)),
    ],
    [
      'the signed assertion moved into extensions',
      (xml) => xml.replace(assertionOf(xml), `<samlp:Extensions>${assertionOf(xml)}</samlp:Extensions>${evil(xml)}`),
    ],
    [
      'the signed assertion inside the forged one',
      (xml) => xml.replace(assertionOf(xml), evil(xml).replace('</saml:Issuer>', `</saml:Issuer>${assertionOf(xml)}`)),
    ],
    [
      'the signature taken along, the signed assertion inside it',
      (xml) => {
        const wrapped = signatureOf(xml).replace(
          '</Signature>',
          `<Object>${assertionOf(xml).replace(signatureOf(xml), '')}</Object></Signature>`,
        );
        return xml.replace(assertionOf(xml), evil(xml).replace('</saml:Issuer>', `</saml:Issuer>${wrapped}`));
      },
    ],
    [
      'the whole signed response inside a forged one',
      (xml) => {
        const inner = xml.replace(/^<\?xml[^>]*\?>/, '');
        return inner
          .replace(assertionOf(inner), evil(inner))
          .replace(/ID="[^"]+"/, 'ID="_outer"')
          .replace('</samlp:Status>', `</samlp:Status><samlp:Extensions>${inner}</samlp:Extensions>`);
      },
    ],
  ];

  it.each(variants)('does not sign in anybody else: %s', async (_what, tamper) => {
    for (const signResponse of [false, true]) {
      let changed = false;
      const answer = await answered({ signResponse }, (xml) => {
        const forged = tamper(xml);
        changed = forged.includes('boss@hub.test') && forged.includes('<SignatureValue>');
        return forged;
      });
      expect(changed).toBe(true);
      expect(saml.signIns.map((request) => request.saml?.email)).not.toContain('boss@hub.test');
      expect(answer.status).toBe(403);
    }
  });
});
