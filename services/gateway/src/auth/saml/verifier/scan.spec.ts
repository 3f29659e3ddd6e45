import { describe, expect, it } from '@jest/globals';
import { MESSAGE_LIMITS } from './limits.ts';
import { readOutline } from './scan.ts';

const P = 'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"';
const DS = 'xmlns:ds="http://www.w3.org/2000/09/xmldsig#"';
const response = (inside: string, attributes = '') =>
  `<samlp:Response ${P} ID="_r" ${attributes}>${inside}</samlp:Response>`;
const refusal = (xml: string) => {
  try {
    readOutline(xml);
    return 'read';
  } catch (error) {
    return (error as Error).message;
  }
};
const status = (code: string) => `<samlp:Status><samlp:StatusCode Value="${code}"/></samlp:Status>`;

describe('the outline of a message', () => {
  it('has its direct children', () => {
    const inside = `<saml:Issuer> idp </saml:Issuer><samlp:Status><samlp:StatusCode Value="a"><samlp:StatusCode Value="b"/></samlp:StatusCode><samlp:StatusMessage>no &amp; no</samlp:StatusMessage></samlp:Status>`;
    expect(readOutline(response(inside, 'Destination="d" IssueInstant="i" InResponseTo="q"'))).toEqual({
      kind: 'Response',
      issuer: 'idp',
      destination: 'd',
      issueInstant: 'i',
      inResponseTo: 'q',
      status: { codes: ['a', 'b'], message: 'no & no' },
      signatures: [],
    });
  });

  it('has the issuer of the assertion if the message has none, and of no other element', () => {
    const issuer = (text: string) => `<saml:Issuer>${text}</saml:Issuer>`;
    expect(readOutline(response(`<saml:Assertion>${issuer('a')}</saml:Assertion>`)).issuer).toBe('a');
    expect(readOutline(response(`<samlp:Extensions>${issuer('x')}</samlp:Extensions>`)).issuer).toBe('');
    expect(readOutline(response(`<saml:Assertion>${issuer('a')}</saml:Assertion>${issuer('r')}`)).issuer).toBe('r');
  });

  it('has the signatures of message and assertion, with the namespaces in scope', () => {
    const signature = `<ds:Signature ${DS}><ds:SignedInfo/></ds:Signature>`;
    const { signatures } = readOutline(
      response(
        `<samlp:Extensions>${signature}</samlp:Extensions><saml:Assertion xmlns:a="urn:a">${signature}</saml:Assertion>`,
      ),
    );
    expect(signatures).toEqual([{ xml: signature, namespaces: expect.objectContaining({ a: 'urn:a' }) }]);
  });

  it.each<[string, string, RegExp]>([
    ['two statuses', response(status('a') + status('b')), /Status: expected one/],
    [
      'two codes',
      response(status('a').replace('</samlp:Status>', '<samlp:StatusCode Value="b"/></samlp:Status>')),
      /StatusCode: expected one/,
    ],
    ['another root', '<html/>', /no SAML message/],
    ['an undeclared prefix', '<samlp:Response/>', /not well-formed/],
    ['a document type', `<!DOCTYPE a [<!ENTITY b "c">]>${response('')}`, /document type/],
    ['an entity that is not declared', response('&b;'), /not well-formed/],
    [
      'a weak digest',
      response(`<ds:DigestMethod ${DS} Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"/>`),
      /DigestMethod: .*sha1/,
    ],
  ])('is refused for %s', (_what, xml, reason) => {
    expect(refusal(xml)).toMatch(reason);
  });
});

describe('a message is limited to', () => {
  const { elements, depth, attributes, namespaces, allAttributes, otherNodes, characters } = MESSAGE_LIMITS;
  const many = (count: number, of: (at: number) => string) => Array.from({ length: count }, (_, at) => of(at)).join('');
  it.each<[string, (count: number) => string, number]>([
    ['elements', (n) => response('<b/>'.repeat(n - 1)), elements],
    ['depth', (n) => response('<b>'.repeat(n - 1) + '</b>'.repeat(n - 1)), depth],
    ['attributes', (n) => response(`<b ${many(n, (at) => `a${at}="" `)}/>`), attributes],
    ['namespaces', (n) => response(`<b ${many(n, (at) => `xmlns:a${at}="u" `)}/>`), namespaces],
    [
      'allAttributes',
      (n) =>
        response(`<b ${many(10, (at) => `a${at}="" `)}/>`.repeat(n / 10 - 1) + `<b ${many(7, (at) => `a${at}="" `)}/>`),
      allAttributes,
    ],
    ['otherNodes', (n) => response('<!---->'.repeat(n)), otherNodes],
    ['otherNodes', (n) => response('<?a?>'.repeat(n)), otherNodes],
    ['otherNodes', (n) => response('<![CDATA[]]>'.repeat(n)), otherNodes],
    ['characters', (n) => response('a'.repeat(n - response('').length)), characters],
  ])('its most %s', (what, make, most) => {
    expect(refusal(make(most))).toBe('read');
    expect(refusal(make(what === 'allAttributes' ? most + 10 : most + 1))).toBe(`${what}: expected at most ${most}`);
  });

  it('four signatures of sixty elements', () => {
    const signature = (count: number) => `<ds:Signature ${DS}>${'<ds:X/>'.repeat(count)}</ds:Signature>`;
    expect(refusal(response(signature(60).repeat(4)))).toBe('read');
    expect(refusal(response(signature(61)))).toBe('signature: too many elements');
    expect(refusal(response(signature(1).repeat(5)))).toBe('signature: came too often');
  });
});
