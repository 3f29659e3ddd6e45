import { describe, expect, it } from '@jest/globals';
import type { IdpMetadata } from './verifier/metadata.ts';
import { unfitForProduction } from './provider.policy.ts';

const GOOD: IdpMetadata = {
  entityId: 'https://idp.test/metadata',
  signInUrl: 'https://idp.test/sso',
  logoutUrl: 'https://idp.test/slo',
  logoutAnswerUrl: 'https://idp.test/slo',
  certificates: [],
  wantsSignedRequests: false,
  validUntil: undefined,
};
const FILE = { metadata: '/etc/warren/idp.xml' };

describe('unfitForProduction', () => {
  it('accepts https, and plain http in an entity id', () => {
    expect(unfitForProduction(FILE, GOOD)).toBeUndefined();
    expect(unfitForProduction({ metadata: 'https://idp.test/metadata' }, GOOD)).toBeUndefined();
    expect(unfitForProduction(FILE, { ...GOOD, entityId: 'http://adfs.test/adfs/services/trust' })).toBeUndefined();
  });

  it.each<[string, { metadata: string }, Partial<IdpMetadata>]>([
    ['a development provider', FILE, { entityId: 'https://idp.test/warren-development' }],
    ['a provider on this machine', FILE, { entityId: 'http://localhost:8081/metadata' }],
    ['a provider on a loopback address', FILE, { entityId: 'https://127.0.0.1/metadata' }],
    ['sign-in over http', FILE, { signInUrl: 'http://idp.test/sso' }],
    ['logout over http', FILE, { logoutUrl: 'http://idp.test/slo' }],
    ['metadata over http', { metadata: 'http://idp.test/metadata' }, {}],
  ])('names %s', (_what, config, more) => {
    expect(unfitForProduction(config, { ...GOOD, ...more })).toMatch(/development|this machine|not https/);
  });
});
