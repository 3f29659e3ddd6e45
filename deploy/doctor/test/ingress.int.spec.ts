import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer as createPlain, type RequestListener, type Server } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { checkAddresses } from '../src/checks/addresses.ts';
import { checkHub, skewOf } from '../src/checks/hub.ts';
import { checkProviders } from '../src/checks/providers.ts';
import { checkSites } from '../src/checks/sites.ts';
import { checkTls } from '../src/checks/tls.ts';
import { checkUpgrades } from '../src/checks/upgrades.ts';
import type { Finding } from '../src/finding.ts';
import { readOptions } from '../src/options.ts';

const open: { close(): unknown }[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) server.close();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function listen(server: Server): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const json = (code: string) => JSON.stringify({ statusCode: 0, code, message: '' });
const DAY = 24 * 3600_000;

/** A place that answers every request so, upgrades too. */
async function ingress(status: number, body: string, headers: Record<string, string> = {}) {
  const answer: RequestListener = (_request, response) => void response.writeHead(status, headers).end(body);
  const server = createPlain(answer);
  server.on('upgrade', (_request, socket) => {
    socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`);
  });
  const port = await listen(server);
  return readOptions({ HUB_URL: `http://localhost:${port}`, DEVICE_DOMAIN: `devices.localhost:${port}` });
}

const failures = (found: Finding[]) => found.filter(({ status }) => status === 'fail').map(({ detail }) => detail);

describe('names', () => {
  it('without a DNS record are reported, with the record to create', async () => {
    const found = await checkAddresses(
      readOptions({ HUB_URL: 'https://hub.invalid', DEVICE_DOMAIN: 'devices.invalid' }),
    );
    expect(found.map(({ status }) => status)).toEqual(['fail', 'fail']);
    expect(found[1]?.advice).toContain('*.devices.invalid');
  });
});

describe('sites', () => {
  const site = async (hub: string, domain: string) =>
    (await checkSites(readOptions({ HUB_URL: `https://${hub}`, DEVICE_DOMAIN: domain })))[0];

  it('that device pages share with the hub are reported', async () => {
    for (const [hub, domain] of [
      ['hub.example.com', 'devices.example.com'],
      ['hub.acme.co.uk', 'd.acme.co.uk:8443'],
    ] as const) {
      const found = await site(hub, domain);
      expect(found).toMatchObject({
        status: 'warn',
        advice: expect.stringContaining('separate registrable domain'),
      });
    }
  });

  it('that differ are in order, by the private part of the Public Suffix List too', async () => {
    for (const [hub, domain, detail] of [
      ['hub.example.com', 'devices.example.net', 'share one (example.net)'],
      ['hub.example.co.uk', 'example.com', 'share one (example.com)'],
      ['hub.example.com', 'github.io', 'each device page is a separate site'],
      ['localhost', 'devices.localhost:8080', 'different sites'],
    ] as const)
      expect(await site(hub, domain)).toMatchObject({ status: 'ok', detail: expect.stringContaining(detail) });
  });
});

describe('the hub', () => {
  it.each([
    ['another server', 200, '<h1>It works</h1>', /not as Warren does/],
    ['an ingress without a gateway', 502, '<h1>Bad Gateway</h1>', /answers 502/],
  ])('is not %s', async (_who, status, body, expected) => {
    expect(failures(await checkHub(await ingress(status, body)))[0]).toMatch(expected);
  });

  it('without a listener is reported', async () => {
    expect(failures(await checkHub(readOptions({ HUB_URL: 'http://127.0.0.1:1' })))).toEqual([
      expect.stringContaining('ECONNREFUSED'),
    ]);
  });

  it('with a wrong clock is reported with the offset', async () => {
    const date = new Date(Date.now() - 60_000).toUTCString();
    const found = failures(await checkHub(await ingress(401, json('unauthenticated'), { date })));
    expect(found[0]).toMatch(/^its clock is (58|59|60|61)\.\d s behind/);
  });

  it.each([
    [0, 0],
    [-500, 0],
    [5_000, 4_900],
    [-5_000, -4_000],
  ])('a clock %i ms off is off by %i at least, as far as whole seconds tell', (off, least) => {
    const sent = 1_700_000_000_000;
    expect(skewOf(new Date(sent + off).toUTCString(), sent, sent + 100)).toBe(least);
  });
});

describe('upgrades', () => {
  it.each([
    ['are stripped', 426, json('upgrade_required'), /takes the Upgrade away/],
    ['end at something else', 404, 'not found', /404 from something else/],
    ['find no tunnels', 503, json('unavailable'), /no replica of tunnels/],
  ])('that %s fail all ways', async (_what, status, body, expected) => {
    const found = failures(await checkUpgrades(await ingress(status, body)));
    expect(found).toHaveLength(4);
    for (const detail of found.slice(0, 3)) expect(detail).toMatch(expected);
    expect(found[3]).toContain('pages of devices');
  });

  it('of agents may go the longer way round', async () => {
    const server = createPlain((_request, response) => void response.writeHead(401).end(json('unauthenticated')));
    server.on('upgrade', (request, socket) => {
      const [status, body] =
        request.headers.upgrade === 'websocket' ? [401, json('unauthenticated')] : [426, json('upgrade_required')];
      socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`);
    });
    const found = await checkUpgrades(readOptions({ HUB_URL: `http://localhost:${await listen(server)}` }));
    expect(found.map(({ status }) => status)).toEqual(['ok', 'warn', 'ok', 'skip']);
  });
});

describe('TLS', () => {
  /** A hub with a certificate for some names, for some days from now. */
  async function secure(names: string[], days: number, trusted = true) {
    const made = await generate([{ name: 'commonName', value: 'hub' }], {
      keySize: 2048,
      algorithm: 'sha256',
      notBeforeDate: new Date(Date.now() - 400 * DAY),
      notAfterDate: new Date(Date.now() + days * DAY),
      extensions: [{ name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) }],
    });
    const server = createSecure({ key: made.private, cert: made.cert });
    const port = await listen(server);
    const folder = await mkdtemp(join(tmpdir(), 'warren-doctor-'));
    folders.push(folder);
    await writeFile(join(folder, 'ca.pem'), made.cert);
    return readOptions({
      HUB_URL: `https://localhost:${port}`,
      DEVICE_DOMAIN: `devices.localhost:${port}`,
      ...(trusted ? { HUB_CA_FILE: join(folder, 'ca.pem') } : {}),
    });
  }
  const both = ['localhost', '*.devices.localhost'];

  it.each<[string, string[], number, boolean, string[]]>([
    ['is good for both names', both, 90, true, ['ok', 'ok']],
    ['ends soon', both, 5, true, ['warn', 'warn']],
    ['has ended', both, -5, true, ['fail', 'fail']],
    ['has an unknown issuer', both, 90, false, ['fail', 'fail']],
    ['lacks the wildcard', ['localhost'], 90, true, ['ok', 'fail']],
  ])('whose certificate %s', async (_what, names, days, trusted, expected) => {
    const found = await checkTls(await secure(names, days, trusted));
    expect([found.map(({ status }) => status), found.map(({ detail }) => detail).join()]).toEqual([
      expected,
      days < 0 ? expect.stringMatching(/: the certificate ended on \d{4}-\d{2}-\d{2}/) : expect.any(String),
    ]);
  });

  it('that is not there', async () => {
    const options = await ingress(200, '');
    const found = await checkTls({ ...options, HUB_URL: options.HUB_URL.replace('http:', 'https:') });
    expect(found.map(({ status }) => status)).toEqual(['fail', 'fail']);
  });
});

describe('identity providers', () => {
  async function provider(days: number, headers: Record<string, string> = {}): Promise<string> {
    const made = await generate([{ name: 'commonName', value: 'idp' }], {
      keySize: 2048,
      algorithm: 'sha256',
      notAfterDate: new Date(Date.now() + days * DAY),
    });
    const place = (await ingress(200, 'sign in', headers)).HUB_URL;
    return `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.test/"><IDPSSODescriptor>
      <KeyDescriptor><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${made.cert.replaceAll(/-----[^-]+-----|\s/g, '')}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>
      <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${place}/sso"/></IDPSSODescriptor></EntityDescriptor>`;
  }

  async function look(metadata: string | undefined, hub = 'http://127.0.0.1:1'): Promise<Finding[]> {
    const folder = await mkdtemp(join(tmpdir(), 'warren-doctor-'));
    folders.push(folder);
    const file = join(folder, 'idp.xml');
    if (metadata !== undefined) await writeFile(file, metadata);
    const SAML_PROVIDERS = JSON.stringify([{ id: 'work', metadata: file }]);
    return (await checkProviders(readOptions({ HUB_URL: hub, SAML_PROVIDERS }))).slice(1);
  }
  const statuses = (found: Finding[]) => found.map(({ status }) => status);

  it('in order', async () => {
    expect(statuses(await look(await provider(300)))).toEqual(['ok', 'ok']);
  });

  it('with a certificate that ends soon', async () => {
    expect(statuses(await look(await provider(3)))).toEqual(['warn', 'ok']);
  });

  it('with a clock that is wrong', async () => {
    const found = await look(await provider(300, { date: new Date(Date.now() + 120_000).toUTCString() }));
    expect(statuses(found)).toEqual(['ok', 'fail']);
    expect(found[1]?.detail).toMatch(/ahead of/);
  });

  it('with a clock that is wrong, and no more than the hub allows', async () => {
    const found = await look(await provider(300, { date: new Date(Date.now() + 30_000).toUTCString() }));
    expect(statuses(found)).toEqual(['ok', 'warn']);
  });

  it('that takes signed requests only, of a hub that signs none', async () => {
    const text = (await provider(300)).replace('<IDPSSODescriptor', '<IDPSSODescriptor WantAuthnRequestsSigned="true"');
    const own = (signed: string) =>
      ingress(
        200,
        `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"><SPSSODescriptor AuthnRequestsSigned="${signed}"/></EntityDescriptor>`,
      );
    expect(statuses(await look(text, (await own('false')).HUB_URL))).toEqual(['ok', 'fail', 'ok']);
    expect(statuses(await look(text, (await own('true')).HUB_URL))).toEqual(['ok', 'ok']);
    expect(statuses(await look(text))).toEqual(['ok', 'ok']);
  });

  it.each([
    ['not there', undefined],
    ['no metadata', '<html/>'],
    ['no XML', 'sign in'],
  ])('whose metadata is %s', async (_what, text) => {
    expect(statuses(await look(text))).toEqual(['fail']);
  });

  it('for a hub that calls itself something else', async () => {
    const hub = await ingress(
      200,
      '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="http://gateway:8080/auth/saml/metadata"/>',
    );
    const [own] = await checkProviders(hub);
    expect([own?.status, own?.advice]).toEqual(['fail', expect.stringContaining('HUB_URL')]);
  });
});
