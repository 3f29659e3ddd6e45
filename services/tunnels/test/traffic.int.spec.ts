import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { AuditActorKind, type AuditEvent } from '@warren/proto/audit/v1/audit';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import type { ServerHttp2Stream } from 'node:http2';
import { v7 as uuidv7 } from 'uuid';
import { Links } from '../src/links/links.ts';
import type { FakeAgentOptions } from './fake.agent.ts';
import { World } from './world.ts';

const { TERMINAL, DESKTOP } = SocketPurpose;
const HOUR_MS = 3_600_000;

describe('the end of a session in the audit trail', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start({ redis: process.env['TEST_REDIS_URL'] ?? '', nats: process.env['TEST_NATS_URL'] ?? '' });
  });
  afterAll(() => world?.stop());

  const linked = async (options: FakeAgentOptions = {}) => {
    const device = world.neighbours.device();
    const agent = await world.agent(device, options);
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    return { device, agent };
  };

  /** A browser of a guest of somebody of the device's account. */
  const guestOf = ({ device }: Awaited<ReturnType<typeof linked>>, purpose = TERMINAL) => {
    const [guest, userId, session] = [uuidv7(), uuidv7(), uuidv7()];
    world.neighbours.sessionEnds.set(session, performance.now() + HOUR_MS);
    const token = world.neighbours.token(device.id, userId, device.accountId, { purpose, session, guest });
    const namespace = purpose === DESKTOP ? 'desktop' : 'terminal';
    return { guest, browser: world.browser(device.id, { userId, token, namespace }) };
  };

  /** The details of the ends of what somebody had open, once there are as many. */
  const ends = async (actor: string, many: number) => {
    const closed = (): AuditEvent[] =>
      world.events.flatMap(({ kind }) =>
        kind.case === 'audit' && kind.value.actor?.id === actor && kind.value.action.endsWith('.close')
          ? [kind.value]
          : [],
      );
    await until(() => closed().length === many);
    return closed().map(({ action, actor: by, details }) => {
      const { ended, bytes_to_device: to, bytes_from_device: from, ...more } = JSON.parse(details);
      expect(Object.keys(more)).not.toContain('requests');
      return [by?.kind, action, ended, to, from];
    });
  };

  it('has the bytes of each attachment of a guest to a terminal', async () => {
    const of = await linked();
    const { guest, browser } = guestOf(of);
    browser.socket.emit('register', { cols: 80, rows: 24 });
    await until(() => browser.heard('register_status')?.['success'] === true);
    const terminal = of.agent.last();
    browser.socket.emit('input', { input: 'öl\r' });
    await until(() => terminal.typed() === 'öl\r');
    await terminal.print('x'.repeat(1_000));
    await until(() => browser.text().length === 1_000);
    expect(await ends(guest, 0)).toEqual([]);
    browser.socket.disconnect();
    expect(await ends(guest, 1)).toEqual([[AuditActorKind.GUEST, 'terminal.close', 'exit', 4, 1_000]]);
  });

  it('has no bytes of others who use the same terminal', async () => {
    const { device, agent } = await linked();
    const userId = uuidv7();
    const attach = async (register: object) => {
      const browser = world.browser(device.id, { userId });
      browser.socket.emit('register', { cols: 80, rows: 24, ...register });
      await until(() => browser.heard('register_status')?.['success'] === true);
      return { browser, terminal: agent.last() };
    };
    const first = await attach({});
    first.browser.socket.emit('input', { input: 'top\r' });
    await until(() => first.terminal.typed() === 'top\r');
    await first.terminal.print('first');
    await until(() => first.browser.text() === 'first');
    const second = await attach({ session: first.terminal.session, offset: 5 });
    await second.terminal.print('second one');
    await until(() => second.browser.text() === 'second one');
    for (const { browser } of [first, second]) {
      browser.socket.disconnect();
      await until(() => !browser.socket.connected);
    }
    expect((await ends(userId, 2)).toSorted()).toEqual([
      [AuditActorKind.USER, 'terminal.close', 'detached', 0, 10],
      [AuditActorKind.USER, 'terminal.close', 'detached', 4, 5],
    ]);
  });

  it('has the bytes of a desktop of a guest whose link has ended, however they are encoded', async () => {
    let server: ServerHttp2Stream | undefined;
    let got = 0;
    const onConnect = (_authority: string, stream: ServerHttp2Stream) => {
      stream.on('error', () => {});
      stream.on('data', ({ length }: Buffer) => (got += length));
      stream.respond({ ':status': 200 });
      server = stream;
    };
    const of = await linked({ onConnect });
    const { guest, browser } = guestOf(of, DESKTOP);
    let shown = 0;
    browser.socket.on('vnc_stream', ({ data }: { data: string }) => (shown += Buffer.from(data, 'base64').length));
    browser.socket.emit('start_vnc', {});
    await until(() => browser.heard('vnc_status')?.['success'] === true);
    server?.write(Buffer.alloc(200_000));
    browser.socket.emit('vnc_input', { data: Buffer.from('pointer') });
    browser.socket.emit('vnc_input', { data: Buffer.from('key').toString('base64') });
    await until(() => shown === 200_000 && got === 10);
    const value = { linkId: 'link', deviceId: of.device.id, endedGuests: [guest] };
    await world.publish({ case: 'guestLinkChanged', value } as never);
    expect(await ends(guest, 1)).toEqual([[AuditActorKind.GUEST, 'desktop.close', 'withdrawn', 10, 200_000]]);
  });

  it('has no bytes of a desktop that was open before on the same socket', async () => {
    const servers: ServerHttp2Stream[] = [];
    const onConnect = (_authority: string, stream: ServerHttp2Stream) => {
      stream.on('error', () => {});
      stream.resume();
      stream.respond({ ':status': 200 });
      servers.push(stream);
    };
    const { browser, guest } = guestOf(await linked({ onConnect }), DESKTOP);
    let shown = 0;
    browser.socket.on('vnc_stream', ({ data }: { data: Buffer }) => (shown += data.length));
    for (const [at, bytes] of [3_000, 20].entries()) {
      shown = 0;
      browser.socket.emit('start_vnc', { encoding: 'binary' });
      await until(() => browser.all('vnc_status').length === at + 1);
      servers[at]?.end(Buffer.alloc(bytes));
      await until(() => shown === bytes && browser.all('client_disconnect').length === at + 1);
    }
    expect(await ends(guest, 2)).toEqual([
      [AuditActorKind.GUEST, 'desktop.close', 'ended', 0, 3_000],
      [AuditActorKind.GUEST, 'desktop.close', 'ended', 0, 20],
    ]);
  });
});
