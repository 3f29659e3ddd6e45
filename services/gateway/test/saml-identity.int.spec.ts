import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TenancyService, type ResolveMemberRequest } from '@warren/proto/tenancy/v1/tenancy';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authShape, type AuthConfig } from '../src/auth/config/auth.config.ts';
import { SamlProviders } from '../src/auth/saml/saml.providers.ts';
import { gatewayProblems } from '../src/config.problems.ts';
import { HUB } from './gateway.ts';
import { SamlGateway } from './saml.gateway.ts';
import { TestIdp } from './saml.idp.ts';

const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
let idp: TestIdp;
let saml: SamlGateway;
let asked: ResolveMemberRequest[];
/** What tenancy answers. */
let mismatch: boolean;

beforeAll(async () => {
  idp = await TestIdp.make('https://idp.test/metadata', HUB);
  saml = await SamlGateway.start(HUB, { default: idp });
  saml.gateway.services.serve(TenancyService, {
    resolveMember: async (_caller, request) => (asked.push(request), { identityMismatch: mismatch }),
  });
});
afterAll(() => saml?.stop());
beforeEach(() => {
  saml.signIns.length = 0;
  saml.refusals.length = 0;
  asked = [];
  mismatch = false;
});

async function signIn(options: { nameId?: string; nameIdFormat?: string } = {}) {
  const { id } = await saml.login();
  return saml.acs(await idp.answer({ inResponseTo: id, ...options }));
}

describe('a sign-in', () => {
  it('binds the user to provider and subject before there is a session', async () => {
    expect((await signIn({ nameId: '_7f3a', nameIdFormat: PERSISTENT })).status).toBe(303);
    expect(asked).toMatchObject([
      { email: 'ada@hub.test', bind: true, identity: { provider: 'default', subject: '_7f3a' } },
    ]);
  });

  it('with the address of another user opens none, and explains what to do', async () => {
    mismatch = true;
    const answer = await signIn({ nameId: '_other', nameIdFormat: PERSISTENT });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('This address belongs to another sign-in');
    expect(answer.text).toContain('Reset sign-in');
    expect(answer.text).toContain(answer.headers['x-request-id']);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(saml.signIns).toHaveLength(0);
    expect(saml.refusals).toMatchObject([{ provider: 'default', reason: expect.stringContaining('ada@hub.test') }]);
  });

  it('that was another one ends where its session is used', async () => {
    const { headers } = await signIn({ nameId: '_7f3a', nameIdFormat: PERSISTENT });
    const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
    mismatch = true;
    expect((await saml.gateway.get('/auth/saml/getsession', undefined, { cookie })).status).toBe(401);
    expect(asked.at(-1)).toMatchObject({ bind: false, identity: { provider: 'default', subject: '_7f3a' } });
  });
});

describe('two providers of one entity id', () => {
  let folder: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'warren-twins-'));
    const metadata = join(folder, 'idp.xml');
    await writeFile(metadata, idp.metadata());
    const list = ['a', 'b'].map((id) => ({ id, name: id, metadata, domains: [`${id}.test`] }));
    env = { NODE_ENV: 'test', SAML_PROVIDERS: JSON.stringify(list) };
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('are refused when their metadata is read', async () => {
    const SAML_PROVIDERS = authShape.SAML_PROVIDERS.parse(env['SAML_PROVIDERS']);
    const providers = new SamlProviders({ SAML_PROVIDERS, NODE_ENV: 'test' } as unknown as AuthConfig);
    await expect(providers.onModuleInit()).rejects.toThrow(/: (a and b|b and a) are one provider/);
    providers.onApplicationShutdown();
  });

  it('are refused before the start as far as files show', () => {
    expect(gatewayProblems(env)).toEqual([expect.stringContaining('a and b are one provider')]);
  });
});
