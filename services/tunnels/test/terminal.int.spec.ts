import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import { v7 as uuidv7 } from 'uuid';
import { Links } from '../src/links/links.ts';
import type { FakeAgent, TestDevice } from './fake.agent.ts';
import type { ScriptedTerminal } from './scripted.terminal.ts';
import { until } from '@warren/infra/until';
import { World, type Browser } from './world.ts';

describe('a terminal through the hub', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start({ redis: process.env['TEST_REDIS_URL'] ?? '', nats: process.env['TEST_NATS_URL'] ?? '' });
  });
  afterAll(async () => world?.stop());

  const connected = async (): Promise<{ device: TestDevice; agent: FakeAgent }> => {
    const device = world.neighbours.device();
    const agent = await world.agent(device);
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    return { device, agent };
  };

  const opened = async (
    register: object = {},
    given: { userId?: string; accountId?: string } = {},
  ): Promise<{ device: TestDevice; agent: FakeAgent; browser: Browser; terminal: ScriptedTerminal }> => {
    const { device, agent } = await connected();
    const browser = world.browser(device.id, given);
    browser.socket.emit('register', { client_sid: '', browser_sid: '', cols: 80, rows: 24, ...register });
    await until(() => browser.heard('register_status') !== undefined);
    expect(browser.heard('register_status')).toMatchObject({ success: true });
    return { device, agent, browser, terminal: agent.last() };
  };

  it('registers, types, prints, resizes and exits', async () => {
    const userId = uuidv7();
    const { browser, terminal } = await opened({ cols: 132, rows: 50 }, { userId });
    expect(terminal.inputs[0]?.kind).toMatchObject({
      case: 'open',
      value: { userId, userEmail: `${userId}@example.org`, size: { cols: 132, rows: 50 }, session: '', offset: 0n },
    });
    expect(browser.heard('register_status')).toEqual({ success: true, session: terminal.session, offset: 0 });
    for (const key of 'echo $((6*7))\r') browser.socket.emit('input', { input: key, client_sid: '', browser_sid: '' });
    await until(() => terminal.typed() === 'echo $((6*7))\r');
    await terminal.print('42\r\n');
    await until(() => browser.text() === '42\r\n');
    browser.socket.emit('resize', { cols: 100, rows: 30, device_sid: '', browser_sid: '' });
    await until(() => terminal.sizes().includes('100x30'));
    await terminal.print('bye');
    terminal.exit(3);
    await until(() => browser.heard('exit') !== undefined);
    expect(browser.heard('exit')).toEqual({ code: 3, signal: '' });
    expect(browser.text()).toBe('42\r\nbye');
  });

  it('registers with the connection, and passes over what repeats it', async () => {
    const { device, agent } = await connected();
    const register = { cols: 90, rows: 30, encoding: 'binary', acks: true };
    const browser = world.browser(device.id, { kind: 'terminal', register });
    browser.socket.once('connect', () => browser.socket.emit('register', { ...register, again: true }));
    await until(() => browser.heard('register_status') !== undefined);
    expect(browser.all('register_status')).toEqual([{ success: true, session: agent.last().session, offset: 0 }]);
    // What comes after the repetition shows that it has been passed over.
    browser.socket.emit('register', register);
    await until(() => browser.all('register_status').length === 2);
    expect(browser.heard('register_status')).toMatchObject({ success: false, code: 'busy' });
    expect(agent.terminals).toHaveLength(1);
    expect(agent.last().inputs[0]?.kind).toMatchObject({ case: 'open', value: { size: { cols: 90, rows: 30 } } });
  });

  it('says what is wrong with a registration that came with the connection', async () => {
    const { device } = await connected();
    const browser = world.browser(device.id, { register: { cols: 0, rows: 24 } });
    await until(() => browser.heard('register_status') !== undefined);
    expect(browser.heard('register_status')).toMatchObject({ success: false, code: 'invalid' });
  });

  it('admits a socket that announces its purpose, for that purpose only', async () => {
    const { device } = await connected();
    const wellSaid = world.browser(device.id, { kind: 'terminal' });
    await until(() => wellSaid.socket.connected);
    for (const given of [
      { kind: 'desktop' },
      { kind: 'terminal', purpose: SocketPurpose.DESKTOP },
      { kind: 'desktop', purpose: SocketPurpose.DESKTOP },
    ]) {
      const refused = world.browser(device.id, given);
      await until(() => refused.heard('connect_error') !== undefined);
      expect(refused.heard('connect_error')).toMatchObject({ code: 'permission_denied' });
    }
    const unheardOf = world.browser(device.id, { kind: 'something' });
    await until(() => unheardOf.socket.connected);
  });

  it('keeps the order of input, strings and bytes alike', async () => {
    const { browser, terminal } = await opened();
    let sent = '';
    for (let index = 0; index < 500; index++) {
      const piece = `${index};`;
      sent += piece;
      browser.socket.emit('input', { input: index % 2 ? piece : Buffer.from(piece) });
    }
    await until(() => terminal.typed().length === sent.length);
    expect(terminal.typed()).toBe(sent);
  });

  it('draws a character whole that is split over frames, in text mode', async () => {
    const { browser, terminal } = await opened();
    const bytes = Buffer.from('aé世🦊z');
    for (const byte of bytes) await terminal.print(Uint8Array.of(byte));
    await until(() => browser.text() === 'aé世🦊z');
    for (const { output, offset } of browser.outputs) {
      expect(
        Buffer.from(output as string).equals(bytes.subarray(offset, offset + Buffer.byteLength(output as string))),
      ).toBe(true);
    }
  });

  it('sends bytes as they are in binary mode, numbered, and short text as text to who takes it', async () => {
    const { browser, terminal } = await opened({ encoding: 'binary', text: true, acks: true });
    await terminal.print(Uint8Array.of(0xff, 0x00));
    await until(() => browser.bytes().length === 2);
    await terminal.print(Uint8Array.of(0xe4, 0xb8));
    await until(() => browser.bytes().length === 4);
    expect(browser.bytes()).toEqual(Buffer.from([0xff, 0x00, 0xe4, 0xb8]));
    expect(browser.outputs.map(({ offset }) => offset)).toEqual([0, 2]);
    await terminal.print(Buffer.from('漢'));
    await until(() => browser.outputs.length === 3);
    expect(browser.outputs[2]).toEqual({ output: '漢', offset: 4 });
  });

  it('takes credit from the browser to the agent, but never for what was not sent', async () => {
    const { browser, terminal } = await opened({ encoding: 'binary', acks: true });
    await terminal.print(Buffer.alloc(1000, 'x'));
    await until(() => browser.bytes().length === 1000);
    expect(terminal.acked()).toBe(0);
    browser.socket.emit('ack', { offset: 600 });
    await until(() => terminal.acked() === 600);
    browser.socket.emit('ack', { offset: 5_000_000 });
    await until(() => terminal.acked() === 1000);
  });

  it('gives credit itself for a client that does not, in steps of 64 KiB which start where messages end', async () => {
    const { browser, terminal } = await opened();
    for (let index = 0; index < 16; index++) await terminal.print(Buffer.alloc(16 * 1024, 'y'));
    await until(() => browser.text().length === 256 * 1024);
    await until(() => terminal.acked() > (256 - 64) * 1024);
    expect(terminal.acked()).toBeLessThanOrEqual(256 * 1024);
  });

  it('comes back to a session at an offset', async () => {
    const { browser, terminal } = await opened({ session: 'known-session', offset: 77 });
    expect(terminal.inputs[0]?.kind).toMatchObject({ value: { session: 'known-session', offset: 77n } });
    expect(browser.heard('register_status')).toMatchObject({ session: 'known-session', offset: 77 });
  });

  it('refuses a token that was used, another user, and one that never was', async () => {
    const { device } = await connected();
    const userId = uuidv7();
    const token = world.neighbours.token(device.id, userId, device.accountId);
    const first = world.browser(device.id, { token, userId });
    await until(() => first.socket.connected);
    const mine = world.neighbours.token(device.id, userId, device.accountId);
    for (const given of [
      { token, userId },
      { token: mine, userId: uuidv7() },
      { token: 'x'.repeat(32), userId },
    ]) {
      const second = world.browser(device.id, given);
      await until(() => second.heard('connect_error') !== undefined);
      expect(second.heard('connect_error')).toMatchObject({ code: 'permission_denied' });
    }
  });

  it('refuses a device whose console is disabled, one that is offline, and a size of nothing', async () => {
    const disabled = Object.assign(world.neighbours.device(), { sshEnabled: false });
    const refused = world.browser(disabled.id);
    await until(() => refused.heard('connect_error') !== undefined);
    const why = { message: 'Not allowed: The console of bench-pi is disabled.' };
    expect(refused.heard('connect_error')).toMatchObject(why);
    const offline = world.browser(world.neighbours.device().id);
    offline.socket.emit('register', { cols: 80, rows: 24 });
    await until(() => offline.heard('register_status') !== undefined);
    expect(offline.heard('register_status')).toMatchObject({ success: false, error: 'bench-pi is not connected.' });
    const { device } = await connected();
    const wrong = world.browser(device.id);
    wrong.socket.emit('register', { cols: 0, rows: 24 });
    await until(() => wrong.heard('register_status') !== undefined);
    expect(wrong.heard('register_status')).toMatchObject({ success: false, error: expect.stringMatching(/cols/) });
  });

  it('notifies the browser when the link dies, and lets it come back on the same socket', async () => {
    const { device, agent, browser, terminal } = await opened();
    agent.kill();
    await until(() => browser.heard('client_disconnect') !== undefined);
    const again = await world.agent(device);
    await until(() => world.app.get(Links).get(device.id)?.alive === true);
    browser.socket.emit('register', { cols: 80, rows: 24, session: terminal.session, offset: 5 });
    await until(() => again.terminals.length === 1 && again.last().inputs.length > 0);
    expect(again.last().session).toBe(terminal.session);
  });

  it('ends the session when the browser says so', async () => {
    const { browser, terminal } = await opened();
    browser.socket.emit('close', {});
    await until(() => browser.heard('exit') !== undefined);
    expect(terminal.inputs.at(-1)?.kind.case).toBe('close');
    expect(browser.heard('exit')).toEqual({ code: 0, signal: 'SIGHUP' });
    expect(browser.heard('client_disconnect')).toBeUndefined();
  });

  it('detaches from the agent when the browser leaves, without ending the terminal', async () => {
    const { browser, terminal } = await opened();
    browser.socket.disconnect();
    await until(() => terminal.left);
    expect(terminal.inputs.some(({ kind }) => kind.case === 'close')).toBe(false);
  });

  describe('ends within 2 s', () => {
    const accountId = uuidv7();
    const userId = uuidv7();
    const cases: [string, (device: TestDevice) => Promise<void>][] = [
      [
        'when the account of the user is disabled',
        () => world.publish({ case: 'accountChanged', value: { accountId, active: false } } as never),
      ],
      [
        'when the account of the device is deleted',
        (device) => world.publish({ case: 'accountDeleted', value: { accountId: device.accountId } } as never),
      ],
      [
        'when the user is disabled',
        () => world.publish({ case: 'userChanged', value: { userId, active: false } } as never),
      ],
      ['when the user is deleted', () => world.publish({ case: 'userDeleted', value: { userId } } as never)],
      [
        'when the device is deleted',
        async (device) => {
          world.neighbours.devices.delete(device.id);
          await world.publish({ case: 'deviceDeleted', value: { deviceId: device.id } } as never);
        },
      ],
      [
        'when the console of the device is disabled',
        async (device) => {
          Object.assign(world.neighbours.devices.get(device.id) ?? {}, { sshEnabled: false });
          await world.publish({ case: 'deviceChanged', value: { deviceId: device.id } } as never);
        },
      ],
      [
        'when the device moves to another account',
        async (device) => {
          Object.assign(world.neighbours.devices.get(device.id) ?? {}, { accountId: uuidv7() });
          await world.publish({ case: 'deviceChanged', value: { deviceId: device.id } } as never);
        },
      ],
    ];
    it.each(cases)('%s', async (name, withdraw) => {
      const isMoved = name.includes('moves');
      const { device, agent, browser, terminal } = await opened({}, isMoved ? { userId } : { userId, accountId });
      const bystander = await opened();
      await withdraw(device);
      await until(() => browser.heard('disconnect') !== undefined, 2_000);
      // A link that ends with its device may take the close along; its terminals were ended before.
      await until(() => terminal.inputs.some(({ kind }) => kind.case === 'close') || agent.asked.length > 0);
      expect(browser.heard('register_status')).toMatchObject({ success: false, error: expect.any(String) });
      expect(bystander.browser.socket.connected).toBe(true);
    });
  });

  it('continues when an event does not withdraw anything', async () => {
    const { device, browser, terminal } = await opened();
    await world.publish({ case: 'deviceChanged', value: { deviceId: device.id } } as never);
    await world.publish({ case: 'accountChanged', value: { accountId: device.accountId, active: true } } as never);
    await terminal.print('still here');
    await until(() => browser.text() === 'still here');
    expect(browser.socket.connected).toBe(true);
  });
});
