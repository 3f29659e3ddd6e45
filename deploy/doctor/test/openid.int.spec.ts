import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OpenIdProvider } from '@warren/infra/openid';
import { checkOpenId } from '../src/checks/openid.ts';
import { readOptions } from '../src/options.ts';

describe('OpenID Connect providers', () => {
  let provider: OpenIdProvider;
  beforeAll(async () => {
    const hub = 'http://hub.test';
    const client = { id: 'warren', secret: 's'.repeat(40), redirectUri: `${hub}/cb`, signedOutUri: hub };
    provider = await OpenIdProvider.start(client);
  });
  afterAll(() => provider.stop());

  async function found(...issuers: [issuer: string, domains?: string[]][]): Promise<string[]> {
    const list = issuers.map(([issuer, domains], at) => ({
      id: `p${at}`,
      name: 'P',
      issuer,
      clientId: 'warren',
      domains,
    }));
    const env = { HUB_URL: 'http://127.0.0.1:1', OIDC_PROVIDERS: JSON.stringify(list) };
    return (await checkOpenId(readOptions(env))).map(({ status, detail }) => `${status} ${detail}`);
  }

  it('are fine with a discovery document, keys and a clock', async () => {
    expect(await found([provider.issuer])).toEqual([
      'ok p0: its discovery document is readable, with 1 key',
      'ok p0: its clock agrees with this machine’s within the tolerance',
    ]);
  });

  it('are named with what is wrong', async () => {
    const lines = await found(
      [provider.issuer, ['a.test']],
      [`${provider.issuer}/other`, ['A.test']],
      ['http://127.0.0.1:9'],
    );
    expect(lines).toContainEqual(expect.stringMatching(/^fail p1: .*\/other\/.well-known.* it answers 404$/));
    expect(lines).toContainEqual(expect.stringMatching(/^fail p2: /));
    expect(lines).toContain('fail p2: no domains beside another provider');
    expect(lines).toContain('fail a.test is a domain of two providers');
    provider.tampers.set('/.well-known/openid-configuration', (body) => ({ ...body, issuer: 'https://other.test' }));
    expect((await found([provider.issuer])).join()).toContain('it calls itself https://other.test');
    provider.tampers.set('/.well-known/openid-configuration', () => ({ issuer: provider.issuer }));
    expect((await found([provider.issuer])).join()).toMatch(/lacks authorization_endpoint, token_endpoint, jwks_uri/);
  });
});
