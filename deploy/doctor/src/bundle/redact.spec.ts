import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { Redactor } from './redact.ts';

const redact = (text: string, anonymous = false) => new Redactor({ anonymous }).redact(text);
const S = 'hunter2-Sesame';
const token = () => `aA0${randomBytes(30).toString('base64url')}`;

describe('redacting', () => {
  it.each([
    ['a password in an address', `connect postgres://warren:${S}@db:5432/warren failed`],
    ['one with signs that should be encoded', `redis://:a/b@${S}@redis:6379`],
    ['a user that is a token', `nats://${S}@nats:4222`],
    ['a bearer token', `Authorization: Bearer ${S}`],
    ['basic credentials', `{"authorization":"Basic ${S}"}`],
    ['a cookie', `Cookie: warren=${S}; theme=${S}`],
    ['a cookie in JSON', `{"headers":{"cookie":"warren=\\"${S}\\"; b=${S}"}}`],
    ['several cookies', `{"set-cookie":["warren=${S}; Path=/","b=${S}"]}`],
    ['escaped JSON', `{"msg":"{\\"password\\":\\"${S} ${S}\\"}"}`],
    ['a password in JSON', `{"smtpPassword":"${S} and ${S}"}`],
    ['an assignment', `NATS_PASSWORD_GATEWAY=${S}`],
    ['a query', `GET /device?a=1&ticket=${S}&b=2`],
    ['an assertion', `<saml2p:Response ID="x"><saml2:Assertion>${S}\n${S}</saml2:Assertion></saml2p:Response>`],
    ['an assertion without its end', `<saml:Assertion ID="x">${S}`],
    ['a posted assertion', `SAMLResponse=${S}&RelayState=${S}`],
    ['a JSON web token', `sent eyJhbGciOi.${S}.${S}`],
  ])('drops %s', (_what, text) => {
    expect(redact(text)).not.toContain(S);
    expect(redact(text)).toContain('[redacted]');
  });

  it('drops tokens of Warren wherever they stand', () => {
    const secret = token();
    expect(redact(`the token ${secret} is used`)).toBe('the token [redacted] is used');
  });

  it.each(['ed25519', 'rsa'] as const)('drops a private key, whole, escaped and cut in two: %s', (kind) => {
    const { privateKey } =
      kind === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ed25519');
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
    const lines = pem.trim().split('\n');
    const body = lines[1] ?? '';
    const prefixed = lines.map((line) => `gateway-1  | ${line}`);
    const texts = [pem, JSON.stringify({ pem }), prefixed.join('\n'), lines.slice(1).join('\n')];
    texts.push(`${lines.slice(0, -1).join('\n')}\nafter that`, lines.slice(1, -1).join(''));
    for (const text of texts) expect(redact(`before\n${text}\n`)).not.toContain(body);
    expect(redact(`before\n${pem}after\n`)).toBe('before\n[redacted]\nafter\n');
    expect(redact(texts[4] ?? '')).toBe('[redacted]\nafter that');
  });

  it('drops what it knows, as JSON and addresses write it too', () => {
    const redactor = new Redactor();
    redactor.learn(['a"b c+d']);
    expect(redactor.redact('x a"b c+d, a\\"b c+d, a%22b%20c%2Bd')).toBe('x [redacted], [redacted], [redacted]');
  });

  it('leaves alone what is no secret', () => {
    const text = [
      '{"level":30,"time":1764000000000,"msg":"Draining","replica":"warren-tunnels-7d9f8c6b5-abcde"}',
      'warren_requests_total{method="tokens",code="200"} 12',
      'sha256:2fe369e969550cde8e867afc3fe370b260140cab4a23d467074295b42163d553',
      "NATS_PASSWORD: <set to the key 'nats' in secret 'warren'>  Optional: false",
      'SAML_KEY_FILE: "/etc/warren/saml/key.pem"',
      '12:30:45 ann@example.com from 10.0.0.7',
    ].join('\n');
    expect(redact(text)).toBe(text);
  });

  // A second or two; a backtracking rule takes hours.
  it('ends on a long line', () => {
    const text = `${'a'.repeat(500_000)}://${'b.'.repeat(500_000)} ${'token'.repeat(200_000)}`;
    expect(redact(text, true)).toContain('[redacted]');
  });

  it('replaces addresses by pseudonyms, the same for the same', () => {
    const text = 'Ann@example.com 10.0.0.7 2001:db8::7 ann%40example.com 127.0.0.1 ::1 12:30:45 bob@example.com';
    const [a, four, six, again, ...rest] = redact(text, true).split(' ');
    expect(a).toMatch(/^email-[0-9a-f]{10}$/);
    expect(again).toBe(a);
    expect(four).toMatch(/^address-/);
    expect(six).toMatch(/^address-/);
    expect(rest.slice(0, 3)).toEqual(['127.0.0.1', '::1', '12:30:45']);
    expect(rest[3]).not.toBe(a);
    expect(redact('Ann@example.com', true)).not.toBe(a);
  });
});
