import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { X509Certificate } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HUB } from './gateway.ts';
import { SamlGateway } from './saml.gateway.ts';
import { decode, encode, TestIdp, type AnswerOptions } from './saml.idp.ts';

const UNSPECIFIED = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';
const STATUS = 'urn:oasis:names:tc:SAML:2.0:status';
const OPAQUE = { nameId: 'opaque', nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' };

let idp: TestIdp;
let saml: SamlGateway;
const logged = jest.spyOn(Logger.prototype, 'warn');

beforeAll(async () => {
  idp = await TestIdp.make('https://idp.test/metadata', HUB);
  saml = await SamlGateway.start(HUB, { default: idp });
});
afterAll(() => saml?.stop());
beforeEach(() => {
  saml.signIns.length = saml.refusals.length = 0;
  logged.mockClear();
});

async function answered(options: Partial<AnswerOptions> = {}, tamper = (xml: string) => xml, by = idp, at = saml) {
  const { id } = await at.login();
  return at.acs(encode(tamper(decode(await by.answer({ inResponseTo: id, ...options })))));
}

/** The line of a refused sign-in in the log. */
function line(): {
  provider: string;
  reason: string;
  kind: string;
  details: Record<string, unknown>;
} {
  const [fields] = logged.mock.calls.filter(([, text]) => text === 'A sign-in was refused.').at(-1) ?? [];
  return fields as never;
}

const withStatus = (status: string) => (xml: string) =>
  xml.replace(/<samlp:Status>[\s\S]*<\/samlp:Status>/, `<samlp:Status>${status}</samlp:Status>`);
const responder = `<samlp:StatusCode Value="${STATUS}:Responder"><samlp:StatusCode Value="${STATUS}:AuthnFailed"/></samlp:StatusCode>`;

describe('an answer whose status is not Success', () => {
  it.each([
    ['another', responder],
    ['one that is none', '<samlp:StatusCode Value=""/>'],
    ['no code', ''],
    [
      'a Success below another',
      `<samlp:StatusCode Value="${STATUS}:Responder"><samlp:StatusCode Value="${STATUS}:Success"/></samlp:StatusCode>`,
    ],
  ])('is refused although its assertion is signed: %s', async (_what, status) => {
    expect((await answered({ signResponse: false }, withStatus(status))).status).toBe(403);
    expect(saml.refusals[0]?.reason).toMatch(/^status: /);
    expect(saml.signIns).toHaveLength(0);
  });

  it("shows the provider's own words, as text, on one line and bounded", async () => {
    const words = `Not <b>assigned</b>&#10;to this\u202e app. ${'x'.repeat(400)}`.replaceAll('<', '&lt;');
    const { text, headers } = await answered(
      {},
      withStatus(`${responder}<samlp:StatusMessage>${words}</samlp:StatusMessage>`),
    );
    expect(text).toContain('It says: \u201cNot &lt;b&gt;assigned&lt;/b&gt; to this app. xxx');
    expect(text).not.toContain('x'.repeat(300));
    expect(text).toContain(headers['x-request-id']);
  });

  it('shows no words to a browser that was sent to no provider', async () => {
    const status = `${responder}<samlp:StatusMessage>Call us</samlp:StatusMessage>`;
    const { text } = await answered({ inResponseTo: '_nobody' }, withStatus(status));
    expect(text).not.toContain('Call us');
  });
});

describe('the e-mail', () => {
  it.each<[string, Partial<AnswerOptions>]>([
    ...['Email', 'EmailAddress', 'User.email', 'upn', 'mail', 'urn:oid:1.2.840.113549.1.9.1'].map(
      (name): [string, Partial<AnswerOptions>] => [name, { ...OPAQUE, claims: { [name]: 'X@hub.test' } }],
    ),
    ['a NameID that is unspecified', { claims: { groups: 'a' }, nameId: 'X@hub.test', nameIdFormat: UNSPECIFIED }],
    ['a NameID rather than upn', { claims: { upn: 'y@hub.test' }, nameId: 'x@hub.test' }],
  ])('is found in %s', async (_what, options) => {
    expect((await answered(options)).status).toBe(303);
    expect(saml.signIns[0]?.saml?.email).toBe('x@hub.test');
  });

  it('is taken from the attribute that is configured, and from no other', async () => {
    const own = { default: { emailAttribute: 'urn:work:address' } };
    const other = await SamlGateway.start(HUB, { default: idp }, {}, {}, own);
    try {
      const claims = { email: 'y@hub.test', 'urn:work:address': 'x@hub.test' };
      expect((await answered({ claims }, undefined, idp, other)).status).toBe(303);
      expect(other.signIns[0]?.saml?.email).toBe('x@hub.test');
      expect((await answered({}, undefined, idp, other)).status).toBe(403);
      expect(line().reason).toContain('urn:work:address');
    } finally {
      await other.stop();
    }
  });

  it('that did not come leaves in the log what did', async () => {
    const { text } = await answered({ ...OPAQUE, claims: { department: 'secret', upn: 'ada' } });
    expect(text).toContain('e-mail address');
    expect(line()).toMatchObject({
      kind: 'email',
      details: { attributes: ['department', 'upn'], emailAttributes: { upn: 'ada' }, nameId: 'opaque' },
    });
    expect(JSON.stringify(line())).not.toContain('secret');
  });
});

describe('clocks', () => {
  it('may be a minute apart, and no more; the log names the difference', async () => {
    expect((await answered({ seconds: -50 })).status).toBe(303);
    const { text } = await answered({ seconds: -70 });
    expect(text).toContain('clocks');
    expect(line()).toMatchObject({ kind: 'time', details: { clockToleranceMs: 60_000 } });
    expect(Math.abs(line().details['clockDifferenceMs'] as number)).toBeLessThan(30_000);
  });

  it('may be as far apart as is configured', async () => {
    const strict = await SamlGateway.start(HUB, { default: idp }, { SAML_CLOCK_TOLERANCE: '0' });
    try {
      expect((await answered({ seconds: -10 }, undefined, idp, strict)).status).toBe(403);
    } finally {
      await strict.stop();
    }
  });
});

describe('a refusal logs', () => {
  const print = ({ keys }: TestIdp) => new X509Certificate(keys.cert).fingerprint256;

  it('nothing signed', async () => {
    await answered({ signAssertion: false, signResponse: false });
    expect(line()).toMatchObject({ kind: 'unsigned', provider: 'default', reason: expect.stringContaining('none') });
  });

  it('a wrong certificate, with both fingerprints', async () => {
    const stranger = await idp.forged();
    await answered({}, undefined, stranger);
    expect(line()).toMatchObject({
      kind: 'certificate',
      reason: expect.stringContaining('wrong certificate'),
      details: {
        signatureCertificate: { fingerprint256: print(stranger) },
        metadataCertificates: [{ fingerprint256: print(idp) }],
      },
    });
  });

  it('a stale certificate', async () => {
    await answered({}, undefined, await idp.renewed());
    expect(line()).toMatchObject({ kind: 'certificate', reason: expect.stringContaining('stale certificate') });
  });

  it('what was changed after it was signed', async () => {
    await answered({}, (xml) => xml.replaceAll('ada@hub.test', 'boss@hub.test'));
    expect(line()).toMatchObject({ kind: 'altered' });
  });

  it('the recipient that came and the one that was expected', async () => {
    await answered({ recipient: 'https://other.test/acs' });
    const details = { expectedRecipient: `${HUB}/auth/saml/acs`, receivedRecipients: ['https://other.test/acs'] };
    expect(line()).toMatchObject({ kind: 'address', details });
  });
});

describe('a provider with a new key, whose metadata is read by the hour', () => {
  let server: Server;
  let reads = 0;
  let served = '';

  beforeAll(async () => {
    server = createServer((_request, response) => {
      reads++;
      response.end(served);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void server.close());

  it('signs people in at once; messages of strangers cause no repeated reads', async () => {
    served = idp.metadata();
    const { port } = server.address() as AddressInfo;
    const providers = [{ id: 'default', name: 'A', metadata: `http://127.0.0.1:${port}/` }];
    const hub = await SamlGateway.start(HUB, {}, { SAML_PROVIDERS: JSON.stringify(providers) });
    try {
      expect(reads).toBe(1);
      const renewed = await idp.renewed();
      served = renewed.metadata();
      expect((await answered({}, undefined, renewed, hub)).status).toBe(303);
      expect(reads).toBe(2);
      const stranger = await idp.forged();
      for (let round = 0; round < 3; round++) expect((await answered({}, undefined, stranger, hub)).status).toBe(403);
      expect(reads).toBe(2);
    } finally {
      await hub.stop();
    }
  });

  it('is taken from a file as soon as a message shows that it changed', async () => {
    const renewed = await idp.renewed();
    const hub = await SamlGateway.start(HUB, { default: idp });
    try {
      // At once, as an editor does: a read in between finds a part.
      const file = `${hub.folder}/default.xml`;
      await writeFile(`${file}.new`, renewed.metadata());
      await rename(`${file}.new`, file);
      expect((await answered({}, undefined, renewed, hub)).status).toBe(303);
    } finally {
      await hub.stop();
    }
  });
});
