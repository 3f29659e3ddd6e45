import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { settled, until } from '@warren/infra/until';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import { once } from 'node:events';
import type { ServerHttp2Stream } from 'node:http2';
import { Links } from '../src/links/links.ts';
import type { FakeAgent, FakeAgentOptions, TestDevice } from './fake.agent.ts';
import { World } from './world.ts';

const DESKTOP = { namespace: 'desktop', purpose: SocketPurpose.DESKTOP };

/** The VNC server's side of a connection through the link. */
class Server {
  readonly got: Buffer[] = [];

  constructor(readonly stream: ServerHttp2Stream) {
    stream.on('error', () => {});
    stream.on('data', (data: Buffer) => this.got.push(data));
    stream.respond({ ':status': 200 });
  }

  text(): string {
    return Buffer.concat(this.got).toString();
  }
}

describe('a desktop through the hub', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start({ redis: process.env['TEST_REDIS_URL'] ?? '', nats: process.env['TEST_NATS_URL'] ?? '' });
  });
  afterAll(async () => world?.stop());

  const connected = async (options: FakeAgentOptions): Promise<{ device: TestDevice; agent: FakeAgent }> => {
    const device = world.neighbours.device();
    const agent = await world.agent(device, options);
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    return { device, agent };
  };

  const opened = async (start: object = {}) => {
    const servers: Server[] = [];
    const asked: string[] = [];
    const onConnect: FakeAgentOptions['onConnect'] = (authority, stream) => {
      asked.push(authority);
      servers.push(new Server(stream));
    };
    const { device, agent } = await connected({ onConnect });
    const browser = world.browser(device.id, DESKTOP);
    const streamed: (string | Buffer)[] = [];
    browser.socket.on('vnc_stream', ({ data }: { data: string | Buffer }) => streamed.push(data));
    browser.socket.emit('start_vnc', { client_sid: '', browser_sid: '', ...start });
    await until(() => browser.heard('vnc_status') !== undefined);
    expect(browser.heard('vnc_status')).toEqual({ success: true });
    const bytes = () =>
      Buffer.concat(streamed.map((data) => (typeof data === 'string' ? Buffer.from(data, 'base64') : data)));
    return { device, agent, browser, server: servers[0]!, asked, streamed, bytes };
  };

  it('is connected at the address that is set for the device, bytes as base64', async () => {
    const { browser, server, asked, streamed } = await opened();
    expect(asked).toEqual(['127.0.0.1:5901']);
    server.stream.write('RFB 003.008\n');
    await until(() => streamed.length === 1);
    expect(streamed[0]).toBe(Buffer.from('RFB 003.008\n').toString('base64'));
    browser.socket.emit('vnc_input', { client_sid: '', browser_sid: '', data: Buffer.from('one ').toString('base64') });
    browser.socket.emit('vnc_input', { data: Buffer.from('two') });
    for (const data of ['not base64!', 7, undefined, null]) browser.socket.emit('vnc_input', { data });
    browser.socket.emit('vnc_input', undefined);
    browser.socket.emit('vnc_input', { data: Buffer.from(' three') });
    await until(() => server.text() === 'one two three');
  });

  it('sends bytes as they are when asked to, and all of them before it says that it ended', async () => {
    const { browser, server, streamed, bytes } = await opened({ encoding: 'binary' });
    const sent = Buffer.alloc(3_000_000, 'framebuffer');
    server.stream.end(sent);
    await until(() => browser.heard('client_disconnect') !== undefined);
    expect(browser.heard('client_disconnect')).toMatchObject({ code: 'ended' });
    expect(streamed.every((data) => typeof data !== 'string')).toBe(true);
    expect(bytes().equals(sent)).toBe(true);
    browser.socket.emit('start_vnc', {});
    await until(() => browser.received.filter(([event]) => event === 'vnc_status').length === 2);
    expect(browser.heard('vnc_status')).toEqual({ success: true });
  });

  it('holds the server up when the browser does not read, and loses nothing', async () => {
    const { browser, server, bytes } = await opened({ encoding: 'binary' });
    const raw = browser.raw();
    raw.pause();
    const piece = Buffer.alloc(1 << 18, 'x');
    let written = 0;
    const fill = (): void => {
      while (server.stream.write(piece)) written++;
      written++;
    };
    server.stream.on('drain', fill);
    fill();
    await settled(() => written);
    // The windows of both ways and a message between, not what the buffers of the systems take.
    // Without the fast path the window of the way to the browser is not kept.
    const most = process.env['WARREN_FAST_PATH'] === 'off' ? 8 << 20 : 4 << 20;
    expect(written * piece.length).toBeLessThan(most);
    server.stream.off('drain', fill);
    raw.resume();
    await until(() => bytes().length === written * piece.length);
  });

  it('shows all that a server sends which reads nothing before that', async () => {
    const { browser, server, bytes } = await opened({ encoding: 'binary' });
    server.stream.pause();
    const typed = 16 << 20;
    for (let count = 0; count < 32; count++) browser.socket.emit('vnc_input', { data: Buffer.alloc(typed / 32, 'y') });
    const shown = Buffer.alloc(8 << 20, 'x');
    server.stream.write(shown);
    await until(() => bytes().length === shown.length);
    server.stream.resume();
    await until(() => server.got.reduce((sum, { length }) => sum + length, 0) === typed);
  });

  it('holds the browser up when the server does not read', async () => {
    const { browser, server } = await opened();
    server.stream.pause();
    const total = 64;
    const piece = Buffer.alloc(1 << 19, 'y');
    for (let count = 0; count < total; count++) browser.socket.emit('vnc_input', { data: piece });
    const raw = browser.raw();
    // What has left the browser is in the windows of both ways, a message between, and the buffers of the systems.
    expect(await settled(() => raw.writableLength)).toBeGreaterThan((total * piece.length) / 2);
    expect(server.got).toHaveLength(0);
    server.stream.resume();
    await until(() => server.got.reduce((sum, { length }) => sum + length, 0) === total * piece.length);
  });

  it.each([
    [502, 'refused', 'No VNC server answers on bench-pi.'],
    [503, 'busy', 'as many connections'],
    [504, 'timeout', 'did not answer in time'],
    [403, 'not_allowed', 'is not one of its own'],
    [405, 'unsupported', 'too old'],
  ])('reports why there is none: %d', async (status, code, text) => {
    const { device } = await connected({
      onConnect: (_authority, stream) => stream.respond({ ':status': status }, { endStream: true }),
    });
    const browser = world.browser(device.id, DESKTOP);
    browser.socket.emit('start_vnc', {});
    await until(() => browser.heard('vnc_status') !== undefined);
    expect(browser.heard('vnc_status')).toEqual({ success: false, code, error: expect.stringContaining(text) });
  });

  it('is none for a device that is offline, whose agent is too old, and for wrong words', async () => {
    const offline = world.browser(world.neighbours.device().id, DESKTOP);
    offline.socket.emit('start_vnc', {});
    await until(() => offline.heard('vnc_status') !== undefined);
    expect(offline.heard('vnc_status')).toMatchObject({ code: 'offline', error: 'bench-pi is not connected.' });
    const { device } = await connected({});
    const browser = world.browser(device.id, DESKTOP);
    browser.socket.emit('start_vnc', { encoding: 'utf-16' });
    await until(() => browser.heard('vnc_status') !== undefined);
    expect(browser.heard('vnc_status')).toMatchObject({
      code: 'invalid',
      error: expect.stringMatching(/^start_vnc: encoding/),
    });
    browser.socket.emit('start_vnc', {});
    await until(() => browser.heard('vnc_status')?.['code'] === 'unsupported');
  });

  it('is not opened by the token of a terminal, nor where the console is off', async () => {
    const { device } = await connected({});
    const wrong = world.browser(device.id, { ...DESKTOP, purpose: SocketPurpose.TERMINAL });
    await until(() => wrong.heard('connect_error') !== undefined);
    expect(wrong.heard('connect_error')).toMatchObject({ code: 'permission_denied' });
    const disabled = world.neighbours.device();
    disabled.sshEnabled = false;
    const off = world.browser(disabled.id, DESKTOP);
    await until(() => off.heard('connect_error') !== undefined);
    expect(off.heard('connect_error')).toMatchObject({ message: 'Not allowed: The console of bench-pi is disabled.' });
  });

  it('ends within two seconds when the console is turned off, and closes the connection on the device', async () => {
    const { device, browser, server } = await opened();
    const closed = once(server.stream, 'close');
    Object.assign(world.neighbours.devices.get(device.id) ?? {}, { sshEnabled: false });
    await world.publish({ case: 'deviceChanged', value: { deviceId: device.id } } as never);
    await until(() => browser.heard('disconnect') !== undefined, 2_000);
    expect(browser.heard('vnc_status')).toMatchObject({
      code: 'withdrawn',
      error: 'The console of bench-pi is disabled.',
    });
    await closed;
  });

  it('reports a broken link, and releases the device when the browser leaves', async () => {
    const first = await opened();
    first.agent.kill();
    await until(() => first.browser.heard('client_disconnect') !== undefined);
    expect(first.browser.heard('client_disconnect')).toMatchObject({ code: 'lost' });
    const second = await opened();
    const closed = once(second.server.stream, 'close');
    second.browser.socket.disconnect();
    await closed;
  });

  it('measures the whole way when it is asked to', async () => {
    const { browser } = await opened();
    await new Promise<void>((answered) => browser.socket.emit('probe', answered));
    browser.socket.emit('probe');
    browser.socket.emit('probe', 'not a function');
    await new Promise<void>((answered) => browser.socket.emit('probe', answered));
  });
});
