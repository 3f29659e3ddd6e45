import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { repairOversized } from '../src/http/oversized.ts';

const CLEARS = 'Clear-Site-Data: "cookies"';
const consent = (name = '__Host-warren-repair') => `${name}=${'1'.repeat(256)}`;

describe('a request whose head is too large', () => {
  let server: Server;

  beforeAll(async () => {
    server = createServer((request, response) => response.end(`served ${request.method}`));
    repairOversized(server, { label: 'Sign in again', secure: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => void server.close());

  /** Sends bytes as they are. @returns all that is answered */
  const send = async (...pieces: string[]) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    for (const piece of pieces) await new Promise((sent) => socket.write(piece, sent));
    return text(socket);
  };
  const request = (lines: string[], { path = '/', method = 'GET', body = '' } = {}) =>
    [`${method} ${path} HTTP/1.1`, 'Host: hub.example', ...lines, '', body].join('\r\n');
  const cookies = (bytes: number, ...more: string[]) => `Cookie: ${[`a=${'x'.repeat(bytes)}`, ...more].join('; ')}`;

  it.each([66_000, 140_000, 700_000])('%i bytes of cookies: offers to delete them, and does not yet', async (bytes) => {
    const answer = await send(request([cookies(bytes)]));
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('<h1>Too many cookies</h1>');
    expect(answer).not.toContain(CLEARS);
  });

  it.each([66_000, 140_000, 700_000])(
    '%i bytes of cookies after a press of the button: deletes them',
    async (bytes) => {
      const answer = await send(request([cookies(bytes, consent())]));
      expect(answer).toMatch(/^HTTP\/1\.1 431 /);
      expect(answer).toContain(`\r\n${CLEARS}\r\n`);
      expect(answer).toContain('Sign in again</a>');
      expect(await send(request([cookies(bytes, consent(), 'b=1'), 'Priority: u=0']))).toContain(CLEARS);
    },
  );

  it('finds the cookie of the button in two pieces', async () => {
    const whole = request([cookies(200_000, consent())]);
    expect(await send(whole.slice(0, -100), whole.slice(-100))).toContain(CLEARS);
  });

  it('allows the script of its button and nothing else', async () => {
    const answer = await send(request([cookies(140_000)]));
    const script = /<script>(.*)<\/script>/s.exec(answer)?.[1] ?? '';
    const digest = createHash('sha256').update(script).digest('base64');
    expect(answer).toContain(`default-src 'none'; script-src 'sha256-${digest}'; style-src`);
    expect(script).toContain(consent());
    expect(script).toContain('SameSite=');
  });

  it.each([66_000, 70_000, 140_000])('an address of %i bytes is too long, whatever it says', async (bytes) => {
    const answer = await send(request([], { path: `/?${'x'.repeat(bytes)};%20${consent()}` }));
    expect(answer).toMatch(/^HTTP\/1\.1 414 /);
    expect(answer).toContain('<h1>Address too long</h1>');
    expect(answer).not.toContain(CLEARS);
    expect(await send(request([cookies(20, consent())], { path: `/?${'x'.repeat(bytes)}` }))).not.toContain(CLEARS);
  });

  it.each([
    ['the referrer', [`Referer: https://evil.example/?${'x'.repeat(70_000)};${consent()};`]],
    ['a header of 128 bytes', [`X: ${'x'.repeat(65_600)}`, `Accept: ; ${consent().slice(0, 126)};`]],
    ['a cookie that any host of the domain can set', [cookies(140_000, consent('warren-repair'))]],
  ])('deletes nothing for %s', async (_what, lines) => {
    const answer = await send(request(lines));
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).not.toContain(CLEARS);
  });

  it('deletes nothing for a body', async () => {
    const body = `a; ${consent()};\r\n; ${consent()}\r\n`;
    const lines = [cookies(140_000), `Content-Length: ${body.length}`];
    expect(await send(request(lines, { method: 'POST', body }))).not.toContain(CLEARS);
  });

  it('leaves other requests alone', async () => {
    expect(await send(request([cookies(40_000), 'Connection: close']))).toContain('served GET');
    expect(await send('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  });
});
