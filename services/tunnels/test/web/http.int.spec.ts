import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { HttpHost, WebPermission } from '@warren/proto/devices/v1/devices';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { parse, type Raw, type WebDevice } from './web.device.ts';
import { bodyOf, WebWorld } from './web.world.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

describe('HTTP through the link', () => {
  let web: WebWorld;
  let server: Server;
  let device: WebDevice;
  let handler: Handler;
  const requests: IncomingMessage[] = [];

  beforeAll(async () => {
    web = await WebWorld.start();
    server = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
      requests.push(request);
      handler(request, response);
    });
    device = await (await web.device(server)).enter();
  });
  afterAll(async () => {
    await web?.stop();
    server?.closeAllConnections();
    server?.close();
  });
  beforeEach(() => {
    requests.length = 0;
    handler = (_request, response) => response.end('hello');
  });

  const last = () => requests.at(-1) as IncomingMessage;

  it('sends the device its local name, and nothing of Warren', async () => {
    const answer = await device.send(
      'POST',
      '/a?b=c%20d',
      'body!',
      ...[
        'Content-Length: 5',
        `Origin: ${device.origin}`,
        `Referer: ${device.origin}/x`,
        'Sec-Fetch-Site: same-origin',
      ],
      ...['Cookie: own=1; warren=hub', 'X-Forwarded-For: 6.6.6.6', 'Warren-Device: x', 'Keep-Alive: 5', 'X-Own: y'],
    );
    expect(answer).toMatchObject({ status: 200, body: 'hello' });
    const { url, headers } = last();
    const local = `127.0.0.1:${device.page.port}`;
    expect(url).toBe('/a?b=c%20d');
    expect(headers).toMatchObject({
      host: local,
      origin: `http://${local}`,
      referer: `http://${local}/x`,
      'x-own': 'y',
    });
    expect(headers.cookie).toBe('own=1');
    for (const name of ['x-forwarded-for', 'warren-device', 'keep-alive']) expect(headers).not.toHaveProperty(name);
  });

  it('sends the public name, as a reverse proxy does, when that is chosen', async () => {
    const open = await (await web.device(server, HttpHost.PUBLIC)).enter();
    await open.get('/', `Origin: ${open.origin}`, 'X-Forwarded-For: 203.0.113.9');
    const said = { host: open.host, origin: open.origin, 'x-forwarded-host': open.host, 'x-forwarded-proto': 'http' };
    expect(last().headers).toMatchObject({ ...said, 'x-forwarded-for': '203.0.113.9' });
  });

  it('passes redirects, cookies and policies on as they may reach a browser', async () => {
    handler = (_request, response) => {
      response.writeHead(302, [
        ...['Location', `http://localhost:${device.page.port}/next?x`, 'X-Frame-Options', 'DENY', 'Alt-Svc', 'h3=":1"'],
        ...[
          'Set-Cookie',
          'a=1; Domain=localhost; Path=/',
          'Set-Cookie',
          'warren-web=evil',
          'Set-Cookie',
          '=warren-web=x',
        ],
        ...[
          'Content-Security-Policy',
          "default-src 'self'; frame-ancestors 'none'",
          'Refresh',
          '1; url=http://10.1.2.3/',
        ],
        ...['Connection', 'X-Secret', 'X-Secret', 's', 'Clear-Site-Data', '"cookies"'],
      ]);
      response.end();
    };
    const { status, head } = await device.get('/');
    expect(status).toBe(302);
    expect(head).toContain(`\r\nLocation: ${device.origin}/next?x\r\n`);
    expect(head).toContain('\r\nSet-Cookie: a=1; Path=/\r\n');
    expect(head).toContain("\r\nContent-Security-Policy: default-src 'self'\r\n");
    expect(head).toContain("\r\nContent-Security-Policy: frame-ancestors 'self' http://localhost:8080\r\n");
    for (const gone of ['evil', '=warren-web', 'X-Frame-Options', 'Alt-Svc', 'X-Secret', 'Clear-Site-Data'])
      expect(head).not.toContain(gone);
  });

  it('takes from a page what is not switched on for the device, whatever it says itself', async () => {
    handler = (_request, response) => response.setHeader('Permissions-Policy', 'camera=*, usb=()').end();
    const policies = ({ head }: Raw) => [...head.matchAll(/\r\npermissions-policy: (.*)/gi)].map(([, value]) => value);
    const none = 'clipboard-read=(), camera=(), microphone=(), geolocation=()';
    expect(policies(await device.get('/'))).toEqual(['camera=*, usb=()', none]);
    handler = (_request, response) => response.setHeader('Permissions-Policy', 'x="').end();
    expect(policies(await device.get('/'))).toEqual([none]);
    device.page.permissions = [WebPermission.CAMERA, WebPermission.CLIPBOARD_READ, WebPermission.TOP_NAVIGATION];
    await device.changed();
    await until(async () => policies(await device.get('/')).at(-1) === 'microphone=(), geolocation=()');
    delete device.page.permissions;
    await device.changed();
    await until(async () => policies(await device.get('/')).at(-1) === none);
  });

  it("has a device's cookies kept where a browser keeps those of frames of another site", async () => {
    const framed = await (await web.device(server)).enter('Sec-Fetch-Site: cross-site');
    handler = (_request, response) => response.setHeader('Set-Cookie', 'a=1; SameSite=Strict; Path=/').end();
    expect((await framed.get('/')).head).toContain(
      '\r\nSet-Cookie: a=1; Path=/; SameSite=None; Secure; Partitioned\r\n',
    );
    expect((await device.get('/')).head).toContain('\r\nSet-Cookie: a=1; SameSite=Strict; Path=/\r\n');
  });

  it('takes a head full of cookies, and offers to delete those that are too much', async () => {
    handler = (request, response) => response.end(String(request.headers.cookie?.length));
    const cookies = (bytes: number) => `Cookie: a=${'x'.repeat(bytes - 2)}`;
    expect(await device.get('/', cookies(40_000))).toMatchObject({ status: 200, body: String(40_000) });
    const refused = await device.get('/', cookies(600_000));
    expect(refused.status).toBe(431);
    expect(refused.head).not.toContain('Clear-Site-Data');
    expect(refused.head).toContain('frame-ancestors http://localhost:8080\r\n');
    expect(refused.body).toContain('Too many cookies');
    const repaired = await device.get('/', `${cookies(600_000)}; warren-repair=${'1'.repeat(256)}`);
    expect(repaired.head).toContain('\r\nClear-Site-Data: "cookies"\r\n');
    expect(repaired.body).toContain('Cookies deleted');
  });

  it('answers HEAD and ranges as the device does', async () => {
    handler = (request, response) => {
      if (request.headers.range)
        response.writeHead(206, { 'Content-Range': 'bytes 0-1/5', 'Content-Length': 2 }).end('he');
      else response.writeHead(200, { 'Content-Length': 5 }).end(request.method === 'HEAD' ? undefined : 'hello');
    };
    const head = await device.send('HEAD', '/', '');
    expect(head).toMatchObject({ status: 200, body: '' });
    expect(head.head).toMatch(/content-length: 5/i);
    expect(await device.get('/', 'Range: bytes=0-1')).toMatchObject({ status: 206, body: 'he' });
  });

  it('streams chunks both ways, and leaves trailers out', async () => {
    handler = async (request, response) => {
      const body = await bodyOf(request);
      response.writeHead(200, { Trailer: 'X-End' });
      response.write(body.toUpperCase());
      response.addTrailers({ 'X-End': '1' });
      response.end();
    };
    const body = '5\r\nhello\r\n1\r\n!\r\n0\r\nX-Trailer: t\r\n\r\n';
    const answer = await device.send('POST', '/', body, 'Transfer-Encoding: chunked', 'Sec-Fetch-Site: same-origin');
    expect(answer.body).toBe('6\r\nHELLO!\r\n0\r\n\r\n');
    expect(last().headers['transfer-encoding']).toBe('chunked');
  });

  it('lets the device decide about a body before it is sent', async () => {
    const take = (request: IncomingMessage, response: ServerResponse) => {
      requests.push(request);
      if (request.url === '/no') return void response.writeHead(413, { 'Content-Length': 0 }).end();
      response.writeContinue();
      void bodyOf(request).then((body) => response.end(`got ${body}`));
    };
    server.on('checkContinue', take);
    const head = (path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: ${device.host}\r\nCookie: ${device.cookie}\r\nSec-Fetch-Site: same-origin\r\n` +
      'Content-Length: 4\r\nExpect: 100-continue\r\n\r\n';
    const socket = await device.open();
    let got = '';
    socket.on('data', (data: Buffer) => (got += data.toString()));
    socket.write(head('/yes'));
    await until(() => got.includes('HTTP/1.1 100 Continue\r\n\r\n'));
    socket.write('body');
    await until(() => got.includes('got body'));
    socket.destroy();
    const refused = await device.raw(head('/no'));
    expect(refused.status).toBe(413);
    expect(refused.head).toMatch(/connection: close/i);
    server.off('checkContinue', take);
  });

  it('passes the head of a stream on before there is anything in it, and what is in it at once', async () => {
    let stream: ServerResponse | undefined;
    handler = (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
      stream = response;
    };
    const socket = await device.open();
    let got = '';
    socket.on('data', (data: Buffer) => (got += data.toString()));
    socket.write(`GET / HTTP/1.1\r\nHost: ${device.host}\r\nCookie: ${device.cookie}\r\n\r\n`);
    await until(() => parse(got).status === 200);
    stream?.write('data: 1\n\n');
    await until(() => got.includes('data: 1'));
    socket.destroy();
    await until(() => stream?.destroyed === true);
  });

  it('asks again when a kept connection turns out to be closed', async () => {
    await device.get('/');
    server.closeIdleConnections();
    expect((await device.get('/')).status).toBe(200);
  });

  it('passes a WebSocket through, byte for byte', async () => {
    const upgraded = (request: IncomingMessage, socket: Socket) => {
      requests.push(request);
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: k\r\n',
      );
      socket.write('Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n');
      socket.pipe(socket);
    };
    server.on('upgrade', upgraded);
    const socket = await device.open();
    let got = Buffer.alloc(0);
    socket.on('data', (data: Buffer) => (got = Buffer.concat([got, data])));
    const lines = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: abc', `Origin: ${device.origin}`];
    socket.write(
      `GET /comms HTTP/1.1\r\nHost: ${device.host}\r\nCookie: ${device.cookie}\r\n${lines.join('\r\n')}\r\n\r\n`,
    );
    await until(() => got.includes('\r\n\r\n'));
    expect(got.toString()).toMatch(/^HTTP\/1.1 101 .*Sec-WebSocket-Extensions: permessage-deflate/s);
    expect(last().headers.origin).toBe(`http://127.0.0.1:${device.page.port}`);
    const bytes = Buffer.from([0xc1, 0x83, 0, 255, 7, 1, 2, 3]);
    socket.write(bytes);
    await until(() => got.subarray(-bytes.length).equals(bytes));
    socket.destroy();
    server.off('upgrade', upgraded);
  });

  it('takes an upgrade to anything else for a plain request', async () => {
    expect(
      await device.get('/', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AA'),
    ).toMatchObject({
      status: 200,
      body: 'hello',
    });
    expect(last().headers).not.toHaveProperty('upgrade');
    expect(last().headers).not.toHaveProperty('http2-settings');
  });

  it.each([
    ['a length and chunks', 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd'],
    ['a coding that hides chunks', 'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n'],
    ['a folded header', 'X-A: b\r\n Transfer-Encoding: chunked\r\n\r\n'],
    ['a space before the colon', 'Content-Length : 3\r\n\r\nabc'],
    ['a bare line feed', 'X-A: b\nContent-Length: 3\r\n\r\nabc'],
  ])('refuses %s, and the device never sees it', async (_what, rest) => {
    const head = `POST / HTTP/1.1\r\nHost: ${device.host}\r\nCookie: ${device.cookie}\r\nSec-Fetch-Site: same-origin\r\n`;
    const answer = await device.raw(head + rest);
    expect([400, 403]).toContain(answer.status);
    expect(requests).toHaveLength(0);
  });

  it('answers for a device that can not: a closed port, a broken answer, a lost link', async () => {
    const closed = await (await web.device()).enter();
    expect((await closed.get('/', 'Accept: text/html')).body).toContain('Nothing is listening');
    expect(await closed.get('/')).toMatchObject({ status: 502 });
    handler = (request) => request.socket.end('no HTTP\r\n\r\n');
    expect(await device.get('/')).toMatchObject({ status: 502 });
    closed.agent.kill();
    await until(async () => (await closed.get('/')).status === 503);
    expect((await closed.get('/')).head).toMatch(/retry-after: 5/i);
  });
});
