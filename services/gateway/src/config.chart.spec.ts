import { describe, expect, it } from '@jest/globals';
import { chartValue } from '@warren/infra/chart';
import { databaseConfig } from '@warren/platform/config/common';
import { providerProblems } from './auth/saml/provider.policy.ts';
import { gatewayConfig } from './config.ts';

const { shape } = gatewayConfig;
const provider = (more: object) => JSON.stringify([{ id: 'a', name: 'A', metadata: 'https://a.example/m', ...more }]);

describe("the chart's schema and the gateway", () => {
  it.each([
    ...['No', 'loopback', 'uniquelocal,10.0.0.0/8', 'fd00::/8, 127.0.0.1', '2'],
    ...['yes', 'true', 'hub.example.com', '-1', '100', '10.0.0.0/8;127.0.0.1', 'loopback,', 'face'],
  ])('agree about trustProxy %j', (text) => {
    expect(shape.TRUST_PROXY.safeParse(text).success).toBe(chartValue('hub.trustProxy').accepts(text));
  });

  it.each(['Yes', 'No', 'sign-in=600', 'sign-in=600, enrol=1', 'enrol=0', 'enrol', 'enrol=1;rotate=2', 'enrol=1,', ''])(
    'agree about rateLimits %j',
    (text) => {
      const given = text !== '' && shape.RATE_LIMITS.safeParse(text).success;
      expect(given).toBe(chartValue('hub.rateLimits').accepts(text));
    },
  );

  it.each(['staff', 'a-1', 'Staff', '-a', 'a b', 'a'.repeat(33)])('agree about the provider %j', (id) => {
    const given = shape.SAML_PROVIDERS.safeParse(provider({ id })).success;
    expect(given).toBe(chartValue('saml.providers.items.id').accepts(id));
  });

  it.each(['https://idp.example.com/m', 'http://idp.example.com/m', '/etc/warren/saml/a.xml'])(
    'agree about metadata at %s, in production',
    (metadata) => {
      const problems = providerProblems({ SAML_PROVIDERS: provider({ metadata }) });
      expect(problems.length === 0).toBe(chartValue('saml.providers.items.metadata').accepts(metadata));
    },
  );

  it.each(['https://idp.example.com', 'https://idp.example.com/realms/a', 'http://idp.example.com', 'idp.example.com'])(
    'agree about the issuer %s',
    (issuer) => {
      const list = JSON.stringify([{ id: 'a', name: 'A', issuer, clientId: 'warren' }]);
      const given = shape.OIDC_PROVIDERS.safeParse(list).success;
      expect(given).toBe(chartValue('oidc.providers.items.issuer').accepts(issuer));
    },
  );

  it.each([
    ['oidc.clockTolerance', shape.OIDC_CLOCK_TOLERANCE],
    ['saml.clockTolerance', shape.SAML_CLOCK_TOLERANCE],
    ['postgresql.pool', databaseConfig.shape.DATABASE_POOL],
  ] as const)('take the same numbers: %s', (path, setting) => {
    const value = chartValue(path);
    for (const number of [value.minimum - 1, value.minimum, value.maximum, value.maximum + 1])
      expect([number, setting.safeParse(String(number)).success]).toEqual([number, value.accepts(number)]);
  });

  it.each(['you@example.com', 'you', 'you@', 'you@example', 'a b@example.com'])(
    'agree about the operator %j',
    (text) => {
      expect(shape.OPERATOR_EMAIL.safeParse(text).success).toBe(chartValue('hub.operatorEmail').accepts(text));
    },
  );

  it('refuse two providers with one id', () => {
    const [one] = JSON.parse(provider({ domains: ['a.example'] })) as object[];
    const text = JSON.stringify([one, { ...one, domains: ['b.example'] }]);
    expect(shape.SAML_PROVIDERS.safeParse(text).error?.issues[0]?.message).toContain('expected ids that differ');
  });
});
