import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Fault } from '@warren/platform/errors/fault';
import { DevicesService, type EnrolRequest } from '@warren/proto/devices/v1/devices';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ACCOUNT, HUB, TestGateway } from './gateway.ts';

const TOKEN = 'a-good-token-1234567890';
const PACKAGE = Buffer.alloc(300_000, 'warren');
const SHA256 = createHash('sha256').update(PACKAGE).digest('hex');
const KEY = generateKeyPairSync('ed25519');
const RELEASE_KEY = Buffer.from(KEY.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
const TEMPLATE = `#!/bin/sh
hub='@HUB@' account='@ACCOUNT@' token='@TOKEN@'
manifest='@MANIFEST@' key='@RELEASE_KEY@'
echo "$hub $account $token $manifest $key"
`;

describe('the installer', () => {
  let gateway: TestGateway;
  let folder: string;
  let enrolled: EnrolRequest | undefined;

  beforeAll(async () => {
    gateway = await TestGateway.start();
    folder = join(gateway.folder, 'packages');
    await mkdir(folder);
    await writeFile(join(gateway.folder, 'install.sh'), TEMPLATE);
    await writeFile(join(folder, 'agent.tar.gz'), PACKAGE);
    await writeFile(join(folder, 'secret.txt'), 'not for anybody');
    await writeManifest('agent.tar.gz', 0);
    gateway.services.serve(DevicesService, {
      checkEnrolmentToken: async (_caller, { accountId, token }) => {
        if (accountId === ACCOUNT && token === TOKEN) return { usesLeft: 1 };
        throw new Fault('unauthenticated', 'it is not good.', { subject: 'token' });
      },
      enrol: async (_caller, request) => {
        enrolled = request;
        return { deviceId: ACCOUNT, accountName: 'Acme' };
      },
    });
  });
  afterAll(() => gateway?.stop());

  async function writeManifest(file: string, age: number): Promise<void> {
    const packages = [{ os: 'linux', arch: 'x64', file, sha256: SHA256, size: PACKAGE.length }];
    await writeSigned(JSON.stringify({ version: '0.1.0', packages }), age);
  }

  async function writeSigned(text: string, age: number): Promise<void> {
    const path = join(folder, 'manifest.json');
    await writeFile(join(folder, 'release-key.pub'), `${RELEASE_KEY}\n`);
    await writeFile(`${path}.sig`, `${sign(null, Buffer.from(text), KEY.privateKey).toString('base64')}\n`);
    await writeFile(path, text);
    await utimes(path, 1_000_000 + age, 1_000_000 + age);
  }

  it('is a script with the values of this account', async () => {
    const { status, headers, text } = await gateway.get(`/install/${ACCOUNT}?token=${TOKEN}`);
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/x-shellscript');
    const said = execFileSync('sh', { input: text, encoding: 'utf8' });
    expect(said).toBe(`${HUB} ${ACCOUNT} ${TOKEN} linux-x64 agent.tar.gz ${SHA256} ${PACKAGE.length} ${RELEASE_KEY}\n`);
  });

  it.each([
    ['no token', 401, ''],
    ['what is no token', 200, '?token=%27%3Brm%20-rf%20%2F'],
    ['two tokens', 200, `?token=${TOKEN}&token=${TOKEN}`],
    ['a part of a token', 200, '?token=a-good'],
  ])('answers %s with %d and a script that says so', async (_what, expected, query) => {
    const { status, headers, text } = await gateway.get(`/install/${ACCOUNT}${query}`);
    expect([status, headers['content-type']]).toEqual([expected, expect.stringContaining('text/x-shellscript')]);
    const { status: code, stderr, stdout } = spawnSync('sh', { input: text, encoding: 'utf8' });
    expect([code, stdout]).toEqual([77, '']);
    expect(stderr).toMatch(/^warren: this address needs an enrolment token.*\n$/);
  });

  it('answers what is no account with a script that says so', async () => {
    const { status, text } = await gateway.get(`/install/nobody?token=${TOKEN}`);
    expect([status, spawnSync('sh', { input: text }).status]).toEqual([200, 77]);
  });

  it('answers a token that is not good with a script that says why, which curl -f lets through', async () => {
    const { status, headers, text } = await gateway.get(`/install/${ACCOUNT}?token=a-bad-token-1234567890`);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    const { status: code, stderr, stdout } = spawnSync('sh', { input: text, encoding: 'utf8' });
    expect([code, stdout]).toEqual([77, '']);
    expect(stderr).toBe(
      'warren: token: it is not good. Open the console, choose Add device, and run the command that it shows.\n',
    );
  });

  it('gives the packages of the manifest, whole, and to those who have them already only the news', async () => {
    const { status, headers, text } = await gateway.get('/install/packages/agent.tar.gz');
    expect([status, headers['content-length'], headers['etag']]).toEqual([200, String(PACKAGE.length), `"${SHA256}"`]);
    expect(text).toBe(PACKAGE.toString());
    const again = await gateway.get('/install/packages/agent.tar.gz', undefined, { 'if-none-match': `"${SHA256}"` });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it.each([
    ['the rest of a package', `"${SHA256}"`, 206, 'bytes 299990-299999/300000', 10],
    ['all of it when it is another one now', `"${'0'.repeat(64)}"`, 200, undefined, PACKAGE.length],
  ])('gives %s', async (_what, etag, expected, range, length) => {
    const headers = { range: 'bytes=299990-', 'if-range': etag };
    const answer = await gateway.get('/install/packages/agent.tar.gz', undefined, headers);
    expect([answer.status, answer.headers['content-range'], answer.text]).toEqual([
      ...[expected, range, PACKAGE.subarray(-length).toString()],
    ]);
  });

  it('says how long a package is to who asks for bytes behind its end', async () => {
    const answer = await gateway.get('/install/packages/agent.tar.gz', undefined, { range: 'bytes=300000-' });
    expect([answer.status, answer.headers['content-range']]).toEqual([416, 'bytes */300000']);
  });

  it('gives the packages without a runtime', async () => {
    const listed = { os: 'linux', arch: 'x64', file: 'agent.tar.gz', sha256: SHA256, size: PACKAGE.length };
    const updates = [{ ...listed, file: 'update.tar.gz', runtime: 'f'.repeat(64) }];
    await writeFile(join(folder, 'update.tar.gz'), 'small');
    await writeSigned(JSON.stringify({ version: '0.1.0', packages: [listed], updates }), 1);
    expect((await gateway.get('/install/packages/update.tar.gz')).text).toBe('small');
    expect((await gateway.get('/install/releases/0.1.0/update.tar.gz')).text).toBe('small');
    const { text } = await gateway.get(`/install/${ACCOUNT}?token=${TOKEN}`);
    expect(text).not.toContain('update.tar.gz');
  });

  it('gives the list of the packages as it was signed, byte for byte, and the signature', async () => {
    const answers = await Promise.all(
      ['manifest.json', 'manifest.json.sig'].map((file) => gateway.get(`/install/packages/${file}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.map(({ text }) => text)).toEqual([
      await readFile(join(folder, 'manifest.json'), 'utf8'),
      await readFile(join(folder, 'manifest.json.sig'), 'utf8'),
    ]);
  });

  it.each(['secret.txt', 'manifest.json.old', '..%2Finstall.sh', '%2e%2e%2finstall.sh', 'agent.tar.gz%00'])(
    'does not give %s',
    async (file) => {
      const { status } = await gateway.get(`/install/packages/${file}`);
      expect(status).toBe(404);
    },
  );

  it('says 503 while a package is not there, and finds a new manifest by itself', async () => {
    await writeManifest('newer.tar.gz', 10);
    expect((await gateway.get('/install/packages/newer.tar.gz')).status).toBe(503);
    await writeFile(join(folder, 'newer.tar.gz'), PACKAGE);
    expect((await gateway.get('/install/packages/newer.tar.gz')).status).toBe(200);
    expect((await gateway.get('/install/packages/agent.tar.gz')).status).toBe(404);
    await writeSigned('{"version": 1}', 20);
    const { status, text, headers } = await gateway.get(`/install/${ACCOUNT}?token=${TOKEN}`);
    expect([status, headers['retry-after'], headers['cache-control']]).toEqual([200, '30', 'no-store']);
    const { status: code, stderr } = spawnSync('sh', { input: text, encoding: 'utf8' });
    expect([code, stderr]).toEqual([
      69,
      'warren: the hub cannot install a device right now. Try again in 30 seconds.\n',
    ]);
  });

  it('gives nothing of a manifest that was changed after it was signed', async () => {
    await writeManifest('agent.tar.gz', 30);
    const path = join(folder, 'manifest.json');
    await writeFile(path, (await readFile(path, 'utf8')).replace(SHA256, 'f'.repeat(64)));
    expect((await gateway.get('/install/packages/agent.tar.gz')).status).toBe(503);
    const { text } = await gateway.get(`/install/${ACCOUNT}?token=${TOKEN}`);
    expect(spawnSync('sh', { input: text }).status).toBe(69);
    await writeManifest('agent.tar.gz', 40);
    expect((await gateway.get('/install/packages/agent.tar.gz')).status).toBe(200);
  });

  describe('enrolment', () => {
    const body = {
      account: ACCOUNT,
      token: TOKEN,
      public_key: Buffer.alloc(32, 1).toString('base64url'),
      proof: Buffer.alloc(64, 2).toString('base64url'),
      serial: '10000000a1b2c3d4',
      facts: { hostname: 'raspberrypi', totalRam: '4000000000', cpuUsage: 1.5, ofTheFuture: 'x' },
    };
    const enrol = (change: object, headers = {}) =>
      gateway.call('POST', '/agent/enrol', { body: { ...body, ...change }, headers: { origin: '', ...headers } });

    it('hands the device over to the service, with the address it came from', async () => {
      const { status, json } = await enrol({}, { 'x-forwarded-for': '203.0.113.9' });
      expect(status).toBe(201);
      expect(json).toEqual({ device_id: ACCOUNT, account_name: 'Acme', audience: HUB });
      expect(enrolled).toMatchObject({ serial: body.serial, publicIp: '127.0.0.1' });
      expect(enrolled?.facts).toMatchObject({ hostname: 'raspberrypi', totalRam: 4_000_000_000n, cpuUsage: 1.5 });
      expect([...(enrolled?.publicKey ?? [])]).toEqual(Array(32).fill(1));
    });

    it.each([
      ['account', { account: 'x' }],
      ['token', { token: 'short' }],
      ['public_key', { public_key: 'AAAA' }],
      ['proof', { proof: undefined }],
      ['serial', { serial: 'a\nb' }],
      ['facts', { facts: { totalRam: 'much' } }],
    ])('refuses a wrong %s by name', async (field, change) => {
      const { status, json } = await enrol(change);
      expect([status, json.errors[0].field]).toEqual([400, field]);
      expect(JSON.stringify(json)).not.toContain(body.token);
    });
  });

  it('lets one address try so often and no oftener, however the address is written', async () => {
    const paths = [`/install/${ACCOUNT}`, `/INSTALL/${ACCOUNT}/`];
    const statuses = new Set<number>();
    let refused;
    for (let call = 0; call < 620; call++) {
      const answer = await gateway.get(paths[call % 2] ?? '', undefined, { 'x-forwarded-for': `10.0.${call % 250}.1` });
      statuses.add(answer.status);
      if (answer.status === 429) refused = answer;
    }
    expect([...statuses]).toEqual([401, 429]);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    const { status, text } = await gateway.get(`${paths[0]}?token=${TOKEN}`, undefined, {
      'x-forwarded-for': '10.0.1.1',
    });
    const { status: code, stderr } = spawnSync('sh', { input: text, encoding: 'utf8' });
    expect([status, code]).toEqual([200, 69]);
    expect(stderr).toMatch(/^warren: Too many: calls from .*; try again in \d+ s\.\n$/);
  });
});
