import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { TestGateway } from './gateway.ts';

const PAGE = '<!doctype html><title>Warren</title>';
const SCRIPT = `console.log('${'x'.repeat(5_000)}');`;
const html = { accept: 'text/html,application/xhtml+xml' };

describe("the console's files", () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await TestGateway.start();
    const folder = join(gateway.folder, 'console');
    await mkdir(join(folder, 'assets'), { recursive: true });
    await writeFile(join(folder, 'index.html'), PAGE);
    await writeFile(join(folder, 'favicon.svg'), '<svg/>');
    await writeFile(join(folder, 'assets', 'index-BxY3_a9Z.js'), SCRIPT);
    await writeFile(join(folder, 'assets', 'index-BxY3_a9Z.js.map'), '{}');
  });
  afterAll(() => gateway?.stop());

  it.each(['/', '/index.html', '/devices', '/device/ssh/01997b5c-0000-7000-8000-0000000000d1', '/apidocs'])(
    'are the page at %s, never kept without asking',
    async (path) => {
      const { status, text, headers } = await gateway.get(path, undefined, html);
      expect([status, text]).toEqual([200, PAGE]);
      expect(headers['cache-control']).toBe('no-cache');
    },
  );

  it.each(['/api', '/api/x', '/API/x', '/auth/x', '/socketsio/x', '/agent/x', '/install', '/tunnel/x', '/server/x'])(
    'are not what %s answers',
    async (path) => {
      const { status, json } = await gateway.get(path, undefined, html);
      expect([status, json?.code]).toEqual([404, 'not_found']);
    },
  );

  it('are not there for programs, nor for changes', async () => {
    expect((await gateway.get('/devices', undefined, { accept: 'application/json' })).json.code).toBe('not_found');
    expect((await gateway.get('/assets/gone-00000000.js', undefined, { accept: '*/*' })).status).toBe(404);
    expect((await gateway.call('POST', '/devices', { headers: html })).status).toBe(404);
  });

  it('are kept for ever when their name holds their content, and compressed', async () => {
    const { headers } = await gateway.get('/assets/index-BxY3_a9Z.js', undefined, { 'accept-encoding': 'gzip' });
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-encoding']).toBe('gzip');
    expect((await gateway.get('/favicon.svg')).headers['cache-control']).toBe('no-cache');
  });

  it('are sent as the build has compressed them, to those who take that', async () => {
    const folder = join(gateway.folder, 'console');
    const packed = brotliCompressSync(SCRIPT);
    await writeFile(join(folder, 'assets', 'index-BxY3_a9Z.js.br'), packed);
    await writeFile(join(folder, 'index.html.br'), brotliCompressSync(PAGE));
    const accept = { 'accept-encoding': 'gzip, br' };
    const script = await gateway.get('/assets/index-BxY3_a9Z.js', undefined, accept);
    expect(script.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringMatching(/javascript/),
      'content-length': String(packed.length),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: expect.stringContaining('Accept-Encoding'),
    });
    for (const path of ['/', '/devices']) {
      const { headers } = await gateway.get(path, undefined, { ...html, ...accept });
      expect(headers).toMatchObject({
        'content-encoding': 'br',
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
      });
    }
    const plain = await gateway.get('/devices', undefined, html);
    expect([plain.text, plain.headers['content-encoding']]).toEqual([PAGE, undefined]);
    await rm(join(folder, 'assets', 'index-BxY3_a9Z.js.br'));
    await rm(join(folder, 'index.html.br'));
  });

  it.each(['/..%2finstall.sh', '/%2e%2e/install.sh', '/assets/..%5c..%5cinstall.sh'])(
    'hold nothing at %s',
    async (path) => {
      expect((await gateway.get(path)).status).toBeGreaterThanOrEqual(400);
    },
  );

  it('come with maps to the sources while one works on them', async () => {
    expect((await gateway.get('/assets/index-BxY3_a9Z.js.map')).status).toBe(200);
  });

  it('come with the headers that keep browsers in bounds', async () => {
    const { headers } = await gateway.get('/', undefined, html);
    expect(headers['content-security-policy']).toContain("script-src 'self';");
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
    });
    expect(headers['strict-transport-security']).toBeUndefined();
    expect(headers['x-powered-by']).toBeUndefined();
  });
});
