import { describe, expect, it } from '@jest/globals';
import { loadConfig, problemsOf } from '@warren/platform/config/load';
import { gatewayConfig } from './config.ts';
import { gatewayProblems } from './config.problems.ts';

const work = (more: object = {}) => ({ id: 'a', name: 'A', metadata: 'a.xml', domains: ['a.example'], ...more });
const openId = (more: object = {}) => ({
  id: 'b',
  name: 'B',
  issuer: 'https://b.example',
  clientId: 'warren',
  domains: ['b.example'],
  ...more,
});
const load = (env: Record<string, string>) => loadConfig(gatewayConfig, environment(env), gatewayProblems);
const environment = (env: Record<string, string>) => ({
  NATS_URL: 'nats://127.0.0.1:4222',
  REDIS_URL: 'redis://127.0.0.1:6379',
  HUB_URL: 'https://hub.example.com',
  DEVICE_DOMAIN: 'devices.example.com',
  SAML_PROVIDERS: '[{"id":"a","name":"A","metadata":"a.xml"}]',
  ...env,
});

describe("the gateway's configuration", () => {
  it('wants one identity provider at least that people are offered', () => {
    const provider = { id: 'a', name: 'A', metadata: 'a.xml', listed: false };
    expect(() => load({ SAML_PROVIDERS: JSON.stringify([provider]) })).toThrow(/one at least that is listed/);
    const both = [
      { ...provider, domains: ['a.example'] },
      { ...provider, id: 'b', listed: true, domains: ['b.example'] },
    ];
    expect(load({ SAML_PROVIDERS: JSON.stringify(both) }).SAML_PROVIDERS).toHaveLength(2);
  });

  it.each<[string, (string[] | undefined)[], RegExp | undefined]>([
    ['one without domains', [undefined], undefined],
    ['several of which one has none', [['a.example'], undefined], /domains of e-mail addresses for each of several/],
    ['several with one domain', [['a.example', 'b.example'], ['B.example']], /b\.example is of two/],
    ['several with their own', [['a.example'], ['b.example', 'c.example']], undefined],
    ['a domain that is none', [['@a.example']], /expected domains of e-mail addresses/],
    ['a domain that is not ASCII', [['m\u00fcnchen.example']], /expected domains of e-mail addresses/],
  ])('of identity providers: %s', (_what, domains, problem) => {
    const list = domains.map((own, at) => ({
      id: `p${at}`,
      name: 'P',
      metadata: 'p.xml',
      ...(own && { domains: own }),
    }));
    const lines = problemsOf(gatewayConfig, { SAML_PROVIDERS: JSON.stringify(list) });
    const found = lines.filter((line) => line.startsWith('SAML_PROVIDERS'));
    expect(found).toEqual(problem ? [expect.stringMatching(problem)] : []);
  });

  it.each<[string, unknown[] | undefined, unknown[], RegExp | undefined]>([
    ['with their own ids and domains', [work()], [openId()], undefined],
    ['of OpenID Connect alone', undefined, [openId({ domains: undefined })], undefined],
    ['of which one has no domains', [work({ domains: undefined })], [openId()], /domains .* for each of several/],
    ['with one domain', [work()], [openId({ domains: ['A.example'] })], /a\.example is of two/],
    ['with one id', [work()], [openId({ id: 'a' })], /expected ids that differ/],
    ['that nobody is offered', [work({ listed: false })], [openId({ listed: false })], /one at least that is listed/],
    ['with an issuer over http', undefined, [openId({ issuer: 'http://b.example' })], /https address of the issuer/],
    ['on this machine', undefined, [openId({ issuer: 'http://localhost:1' })], /on this machine alone/],
    ['without openid', undefined, [openId({ scopes: ['email'] })], /openid among them/],
    [
      'with a secret that is not there',
      undefined,
      [openId({ clientSecretFile: '/none' })],
      /clientSecretFile: .*ENOENT/,
    ],
    [
      'whose addresses need no proof, of every domain',
      undefined,
      [openId({ domains: undefined, emailVerified: 'assumed' })],
      /expected domains where/,
    ],
    ['with another claim', undefined, [openId({ emailClaim: 'upn' })], /"assumed" where "emailClaim"/],
    ['with an unknown field', undefined, [openId({ secret: 'x' })], /not known: secret/],
  ])('of providers of both protocols: %s', (_what, saml, oidc, problem) => {
    const lists = { SAML_PROVIDERS: saml ? JSON.stringify(saml) : '', OIDC_PROVIDERS: JSON.stringify(oidc) };
    const lines = problemsOf(gatewayConfig, environment(lists), gatewayProblems);
    expect(lines).toEqual(problem ? [expect.stringMatching(problem)] : []);
  });

  it('wants a provider of some protocol', () => {
    expect(() => load({ SAML_PROVIDERS: '' })).toThrow(/SAML_PROVIDERS: .*OIDC_PROVIDERS/);
  });

  it.each([
    ['No', false],
    ['0', false],
    ['1', 1],
    ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
    ['loopback', ['loopback']],
  ])('believes proxies for TRUST_PROXY=%s as %j', (text, expected) => {
    expect(load({ TRUST_PROXY: text }).TRUST_PROXY).toEqual(expected);
  });

  it('trusts no proxy by default', () => {
    expect(load({}).TRUST_PROXY).toBe(false);
  });

  it.each([
    ['TRUST_PROXY', 'everybody'],
    ['TRUST_PROXY', '999.0.0.0/8'],
    ['TRUST_PROXY', '10.0.0.0/64'],
    ['DEVICE_DOMAIN', 'https://devices.example.com'],
    ['HUB_URL', 'https://hub.example.com/path'],
  ])('refuses %s=%s', (name, value) => {
    expect(() => load({ [name]: value })).toThrow(name);
  });

  it('says of each variable that is missing or wrong what was expected, with an example', () => {
    const wrong = Object.fromEntries(Object.keys(gatewayConfig.shape).map((name) => [name, '\t']));
    const missing = problemsOf(gatewayConfig, {});
    const lines = [...missing, ...problemsOf(gatewayConfig, wrong)];
    expect(missing.length).toBeGreaterThanOrEqual(4);
    expect(lines.length).toBeGreaterThanOrEqual(18);
    expect(lines.filter((line) => !/: expected .*(, such as | or )/.test(line))).toEqual([]);
  });

  it.each<[string, unknown, RegExp]>([
    ['no array', {}, /^SAML_PROVIDERS: expected a JSON array .*, such as \[\{"id":"work"/],
    ['no id', [{ name: 'A', metadata: 'a.xml' }], /^SAML_PROVIDERS\.0\.id: expected .*, such as work /],
    ['no metadata', [{ id: 'a', name: 'A' }], /^SAML_PROVIDERS\.0\.metadata: expected the path .*, such as \/etc/],
    [
      'an unknown field',
      [{ id: 'a', name: 'A', metadata: 'a.xml', metdata: 'b' }],
      /^SAML_PROVIDERS\.0: .*, such as .*; not known: metdata /,
    ],
  ])('says what a provider is when it has %s', (_what, providers, line) => {
    const given = { SAML_PROVIDERS: JSON.stringify(providers) };
    const lines = problemsOf(gatewayConfig, given).filter((one) => one.startsWith('SAML_PROVIDERS'));
    expect(lines).toEqual([expect.stringMatching(line)]);
  });
});
