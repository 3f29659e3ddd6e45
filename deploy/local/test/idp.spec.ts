import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SAML, ValidateInResponseTo, type Profile } from '@node-saml/node-saml';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idpApp } from '../src/idp/app.ts';
import { idpConfig } from '../src/idp/config.ts';
import { signingKeys, type SigningKeys } from '../src/idp/keys.ts';

const hub = 'http://localhost:8080';
const people = [{ email: 'Ada@warren.example', name: 'Ada <b>Lovelace</b>', role: 'Member', account: 'Warren' }];
let dir: string;
let keys: SigningKeys;
let server: Server;
let idp: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'warren-idp-'));
  keys = await signingKeys(dir);
  server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  idp = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on('request', idpApp({ ...keys, issuer: `${idp}/metadata`, hubUrl: hub, people: async () => people }));
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await rm(dir, { recursive: true, force: true });
});

const relyingParty = (more: Partial<ConstructorParameters<typeof SAML>[0]> = {}) =>
  new SAML({
    issuer: `${hub}/auth/saml/metadata`,
    audience: `${hub}/auth/saml/metadata`,
    callbackUrl: `${hub}/auth/saml/acs`,
    entryPoint: `${idp}/sso`,
    logoutUrl: `${idp}/slo`,
    idpCert: keys.cert,
    idpIssuer: `${idp}/metadata`,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: true,
    validateInResponseTo: ValidateInResponseTo.always,
    ...more,
  });

const field = (page: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';

async function signIn(party: SAML, email: string, groups = ''): Promise<{ response: string; relayState: string }> {
  const address = new URL(await party.getAuthorizeUrlAsync('/devices?a=1&b=2', undefined, {}));
  const chooser = await (await fetch(address)).text();
  expect(field(chooser, 'SAMLRequest')).toBe(address.searchParams.get('SAMLRequest'));
  const form = new URLSearchParams({
    SAMLRequest: address.searchParams.get('SAMLRequest') ?? '',
    RelayState: '/devices',
    email,
    groups,
  });
  const answer = await fetch(`${idp}/sso`, { method: 'POST', body: form });
  const page = await answer.text();
  expect(page).toContain(`action="${hub}/auth/saml/acs"`);
  return { response: field(page, 'SAMLResponse'), relayState: field(page, 'RelayState') };
}

describe('the development identity provider', () => {
  it('signs in with an assertion that a relying party verifies', async () => {
    const party = relyingParty();
    const { response, relayState } = await signIn(party, 'ada@WARREN.example');
    const { profile } = await party.validatePostResponseAsync({ SAMLResponse: response });
    expect(profile).toMatchObject({
      nameID: 'Ada@warren.example',
      email: 'Ada@warren.example',
      issuer: `${idp}/metadata`,
    });
    expect(profile?.['displayName']).toBe('Ada <b>Lovelace</b>');
    expect(relayState).toBe('/devices');
  });

  it('is not believed when the assertion is changed, when it answers nothing, or when it is for another audience', async () => {
    const { response } = await signIn(relyingParty(), 'ada@warren.example');
    const xml = Buffer.from(response, 'base64').toString();
    const changed = Buffer.from(xml.replaceAll('Ada@warren.example', 'eve@warren.example')).toString('base64');
    const free = { validateInResponseTo: ValidateInResponseTo.never };
    await expect(relyingParty(free).validatePostResponseAsync({ SAMLResponse: changed })).rejects.toThrow(/signature/i);
    await expect(relyingParty().validatePostResponseAsync({ SAMLResponse: response })).rejects.toThrow(/InResponseTo/);
    const other = relyingParty({ ...free, audience: 'https://elsewhere.example' });
    await expect(other.validatePostResponseAsync({ SAMLResponse: response })).rejects.toThrow(/audience/i);
  });

  it('signs in someone whom it does not list', async () => {
    const party = relyingParty();
    const { response } = await signIn(party, 'new@elsewhere.example');
    const { profile } = await party.validatePostResponseAsync({ SAMLResponse: response });
    expect(profile).toMatchObject({ email: 'new@elsewhere.example', displayName: 'new' });
  });

  it('states the groups that were typed, and no attribute without any', async () => {
    const groupsOf = async (typed: string) => {
      const party = relyingParty();
      const { response } = await signIn(party, 'ada@warren.example', typed);
      return ((await party.validatePostResponseAsync({ SAMLResponse: response })).profile as Profile)['groups'];
    };
    expect(await groupsOf(' engineering, operations,')).toEqual(['engineering', 'operations']);
    expect(await groupsOf('engineering')).toBe('engineering');
    expect(await groupsOf(' ')).toBeUndefined();
  });

  it('asks who it is when the request comes by the POST binding', async () => {
    const address = new URL(await relyingParty().getAuthorizeUrlAsync('/devices', undefined, {}));
    const body = new URLSearchParams({
      SAMLRequest: address.searchParams.get('SAMLRequest') ?? '',
      RelayState: '/devices',
    });
    const page = await (await fetch(`${idp}/sso`, { method: 'POST', body })).text();
    expect(page).toContain('value="Ada@warren.example"');
    expect(page).not.toContain('SAMLResponse');
  });

  it('sends no assertion to a foreign address', async () => {
    const address = await relyingParty({ callbackUrl: 'https://evil.example/acs' }).getAuthorizeUrlAsync(
      '',
      undefined,
      {},
    );
    const answer = await fetch(address);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('https://evil.example/acs');
  });

  it('escapes what it shows, and says what is wrong with a broken request', async () => {
    const address = await relyingParty().getAuthorizeUrlAsync('"><script>', undefined, {});
    const page = await (await fetch(address)).text();
    expect(page).toContain('Ada &lt;b&gt;Lovelace');
    expect(page).not.toContain('"><script>');
    const broken = await fetch(`${idp}/sso?SAMLRequest=AAAA`);
    expect(broken.status).toBe(400);
  });

  it('answers a logout with a signed response', async () => {
    const party = relyingParty();
    const profile = {
      nameID: 'ada@warren.example',
      nameIDFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
    };
    const address = await party.getLogoutUrlAsync(profile as Profile, 'after', {});
    const answer = await fetch(address, { redirect: 'manual' });
    const back = new URL(answer.headers.get('location') ?? '');
    expect(back.origin + back.pathname).toBe(`${hub}/auth/saml/slo`);
    const query = Object.fromEntries(back.searchParams);
    const { loggedOut } = await party.validateRedirectAsync(query, back.search.slice(1));
    expect(loggedOut).toBe(true);
  });

  it('publishes its certificate and addresses', async () => {
    const document = await (await fetch(`${idp}/metadata`)).text();
    expect(document).toContain(`entityID="${idp}/metadata"`);
    expect(document).toContain(`Location="${idp}/sso"`);
    expect(document).toContain(keys.cert.replace(/-----.*-----|\s/g, ''));
  });

  it('keeps its keys, closed to others', async () => {
    expect(await signingKeys(dir)).toEqual(keys);
    expect((await stat(join(dir, 'keys.json'))).mode & 0o777).toBe(0o600);
  });
});

describe('the configuration', () => {
  const given = { IDP_URL: 'http://localhost:8081', HUB_URL: hub, IDP_DIR: '/tmp/x', IDP_PEOPLE: '/tmp/x/people.json' };

  it('refuses production', () => {
    expect(() => idpConfig({ ...given, NODE_ENV: 'production' })).toThrow(/NODE_ENV: .*production.*'production' came/);
  });

  it('listens on loopback only, unless configured otherwise', () => {
    expect(() => idpConfig({ ...given, HOST: '0.0.0.0' })).toThrow(/HOST: .*loopback/);
    expect(idpConfig({ ...given, HOST: '0.0.0.0', IDP_ANY_ADDRESS: 'yes' }).HOST).toBe('0.0.0.0');
    expect(idpConfig(given).HOST).toBe('127.0.0.1');
  });
});
