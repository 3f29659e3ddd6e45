import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { settled, until } from '@warren/infra/until';
import type { ListLogUnitsRequest, ReadLogsRequest, WatchLogsRequest } from '@warren/proto/agent/v1/agent';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import { v7 as uuidv7 } from 'uuid';
import { Links } from '../src/links/links.ts';
import type { FakeAgentOptions, TestDevice } from './fake.agent.ts';
import { World, type Browser } from './world.ts';

const LOGS = { namespace: 'logs', purpose: SocketPurpose.LOGS };
const cursorOf = (index: number) => `s=ab;i=${index.toString(16)}`;

const line = (index: number, message = `line ${index}`) => ({
  cursor: cursorOf(index),
  time: 1_790_000_000_000_000n,
  priority: 6,
  unit: 'ssh.service',
  identifier: 'sshd',
  pid: 7,
  message,
  cut: 0n,
});

/** A device's journal: a page, then the lines that the test adds, until the hub closes it. */
class Journal {
  readonly asked: (WatchLogsRequest | ReadLogsRequest | ListLogUnitsRequest)[] = [];
  left = 0;
  private readonly fresh: object[] = [];
  private wake = () => {};

  add(message: object): void {
    this.fresh.push(message);
    this.wake();
  }

  readonly logs: FakeAgentOptions['logs'] = {
    watchLogs: (request, { signal }) => this.watch(request, signal),
    readLogs: (request) => {
      this.asked.push(request);
      return { lines: [line(1)], older: '', reached: line(1).time };
    },
    listLogUnits: (request) => {
      this.asked.push(request);
      return { units: ['ssh.service', 'turned\u202eround.service', 'x'.repeat(300), 'warren-agent.service'] };
    },
  };

  private async *watch(request: WatchLogsRequest, signal: AbortSignal) {
    this.asked.push(request);
    signal.addEventListener('abort', () => this.wake(), { once: true });
    try {
      if (request.after === '') {
        const value = { lines: [line(2), line(3)], older: cursorOf(2), reached: line(2).time, notice: '' };
        yield { kind: { case: 'page' as const, value } };
      }
      while (!signal.aborted) {
        const lines = this.fresh.splice(0);
        if (lines.length > 0) yield { kind: { case: 'lines' as const, value: { lines } } };
        else await new Promise<void>((resolve) => (this.wake = resolve));
      }
    } finally {
      this.left++;
    }
  }
}

const linesOf = (browser: Browser) =>
  browser.all('lines').flatMap(({ lines }) => (lines as { message: string }[]).map(({ message }) => message));

describe('the logs of a device through the hub', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start({ redis: process.env['TEST_REDIS_URL'] ?? '', nats: process.env['TEST_NATS_URL'] ?? '' });
  });
  afterAll(async () => world?.stop());

  const connected = async (logs: FakeAgentOptions['logs']) => {
    const device = world.neighbours.device();
    const agent = await world.agent(device, logs ? { logs } : {});
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    return { device, agent };
  };

  const opened = async (given: { userId?: string; accountId?: string } = {}) => {
    const journal = new Journal();
    const { device, agent } = await connected(journal.logs);
    const browser = world.browser(device.id, { ...LOGS, ...given });
    browser.socket.emit('watch', { view: 1, unit: 'ssh.service', text: 'line' });
    await until(() => browser.heard('page') !== undefined);
    return { device, agent, browser, journal };
  };

  it('end when the device sends more lines at once than an agent does', async () => {
    const { browser, journal } = await opened();
    for (let index = 0; index < 1_001; index++) journal.add(line(index, ''));
    await until(() => browser.heard('failed') !== undefined);
    expect(browser.heard('failed')).toMatchObject({
      reason: 'The device sent more than 1000 lines at once.',
      retry: false,
    });
    expect(linesOf(browser)).toEqual([]);
  });

  it('are a page, then the lines that come, an older page and the units', async () => {
    const { browser, journal } = await opened();
    expect(journal.asked[0]).toMatchObject({
      filter: { unit: 'ssh.service', text: 'line' },
      after: '',
      userEmail: expect.stringContaining('@example.org'),
    });
    expect(browser.heard('page')).toMatchObject({ view: 1, older: cursorOf(2), notice: '' });
    journal.add(line(4));
    journal.add(line(5, 'not \u001b]0;this\u0007'));
    journal.add({ ...line(6), cursor: 'no place in a journal' });
    await until(() => linesOf(browser).length === 2);
    expect(linesOf(browser)).toEqual(['line 4', 'not ␛]0;this␇']);
    browser.socket.emit('older', { view: 1, unit: 'ssh.service', text: 'line', before: cursorOf(2) });
    await until(() => browser.heard('older') !== undefined);
    expect(journal.asked.at(-1)).toMatchObject({ filter: { unit: 'ssh.service', text: 'line' }, before: cursorOf(2) });
    expect(browser.heard('older')).toMatchObject({ view: 1, older: '', lines: [{ cursor: cursorOf(1) }] });
    browser.socket.emit('units');
    await until(() => browser.heard('units') !== undefined);
    expect(browser.heard('units')).toEqual({ units: ['ssh.service', 'warren-agent.service'] });
  });

  it('are one view at a time: another filter closes the previous one', async () => {
    const { browser, journal } = await opened();
    browser.socket.emit('watch', { view: 2, unit: 'kernel', text: '' });
    await until(() => browser.heard('page')?.['view'] === 2);
    await until(() => journal.left === 1);
    journal.add(line(9));
    await until(() => browser.heard('lines') !== undefined);
    expect(browser.heard('lines')).toMatchObject({ view: 2 });
    browser.socket.disconnect();
    await until(() => journal.left === 2);
  });

  it('are noted once for each visit, with the person', async () => {
    const noted = jest.spyOn(Logger.prototype, 'log');
    try {
      const userId = uuidv7();
      const { device, browser } = await opened({ userId });
      browser.socket.emit('watch', { view: 2 });
      await until(() => browser.heard('page')?.['view'] === 2);
      const lines = noted.mock.calls.filter(([, text]) => text === 'logs.opened').map(([fields]) => fields);
      const who = { user: userId, email: `${userId}@example.org` };
      expect(lines).toEqual([{ audit: 'logs.opened', ...who, device: device.id, account: device.accountId }]);
    } finally {
      noted.mockRestore();
    }
  });

  describe('end within 2 s', () => {
    const userId = uuidv7();
    const deviceChanged = (device: TestDevice, change: object) => {
      Object.assign(world.neighbours.devices.get(device.id) ?? {}, change);
      return world.publish({ case: 'deviceChanged', value: { deviceId: device.id } } as never);
    };
    const cases: [string, RegExp, (device: TestDevice) => Promise<void>][] = [
      ['when the console is turned off', /is disabled/, (device) => deviceChanged(device, { sshEnabled: false })],
      ['when the account is', /account is disabled/, (device) => deviceChanged(device, { accountDisabled: true })],
      ['when the device moves', /was moved/, (device) => deviceChanged(device, { accountId: uuidv7() })],
      [
        'when the user is disabled',
        /user is disabled/,
        () => world.publish({ case: 'userChanged', value: { userId, active: false } } as never),
      ],
    ];
    it.each(cases)('%s', async (_name, reason, withdraw) => {
      const { device, browser, journal } = await opened({ userId });
      const bystander = await opened();
      await withdraw(device);
      await until(() => browser.heard('disconnect') !== undefined && journal.left === 1, 2_000);
      const told = { view: 0, retry: false, reason: expect.stringMatching(reason) };
      expect(browser.heard('failed')).toEqual(told);
      expect(bystander.browser.socket.connected).toBe(true);
      expect(bystander.journal.left).toBe(0);
    });
  });

  it('say that the device went, and continue after the last line when it is back', async () => {
    const { device, agent, browser } = await opened();
    agent.kill();
    await until(() => browser.heard('client_disconnect') !== undefined);
    expect(browser.heard('client_disconnect')).toEqual({ reason: 'bench-pi is not connected.' });
    const journal = new Journal();
    await world.agent(device, { logs: journal.logs });
    await until(() => world.app.get(Links).get(device.id)?.alive === true);
    browser.socket.emit('watch', { view: 2, after: cursorOf(3) });
    await until(() => journal.asked.length === 1);
    expect(journal.asked[0]).toMatchObject({ after: cursorOf(3) });
    journal.add(line(4));
    await until(() => linesOf(browser).includes('line 4'));
    expect(browser.all('page')).toHaveLength(1);
  });

  it('hold the device up when the browser does not read, and lose nothing', async () => {
    const full = 16 * 1024;
    let made = 0;
    let going = true;
    async function* flood(_request: WatchLogsRequest, { signal }: { signal: AbortSignal }) {
      while (going && !signal.aborted) {
        yield { kind: { case: 'lines' as const, value: { lines: [line(made, `${made}`.padEnd(full, '.'))] } } };
        made++;
      }
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    }
    const { device } = await connected({ watchLogs: flood });
    const browser = world.browser(device.id, LOGS);
    await until(() => browser.socket.connected);
    browser.raw().pause();
    browser.socket.emit('watch', { view: 1 });
    await until(() => made > 0);
    await settled(() => made);
    expect(made * full).toBeLessThan(24 << 20);
    going = false;
    browser.raw().resume();
    await until(() => linesOf(browser).length === made);
    expect(linesOf(browser).map((message) => Number.parseInt(message, 10))).toEqual([...Array(made).keys()]);
  });

  it.each([
    [Code.FailedPrecondition, 'there is no journal', { retry: false, reason: 'There is no journal.' }],
    [Code.ResourceExhausted, 'as many as may', { retry: true, reason: 'As many as may.' }],
    [Code.Unimplemented, 'none', { retry: false, reason: 'The agent of bench-pi is too old to show its logs.' }],
  ])('report why there are none: %s', async (code, text, expected) => {
    const { device } = await connected({
      // oxlint-disable-next-line require-yield
      async *watchLogs() {
        throw new ConnectError(text, code);
      },
    });
    const browser = world.browser(device.id, LOGS);
    browser.socket.emit('watch', { view: 4 });
    await until(() => browser.heard('failed') !== undefined);
    expect(browser.heard('failed')).toEqual({ view: 4, ...expected });
  });

  it('are none for wrong words, a device that is offline, another token, and where the console is off', async () => {
    const { browser } = await opened();
    browser.socket.emit('watch', { view: 1, text: 'x'.repeat(201) });
    await until(() => browser.heard('failed') !== undefined);
    expect(browser.heard('failed')).toMatchObject({ view: 0, reason: expect.stringMatching(/^watch: text/) });
    browser.socket.emit('older', { view: 1, before: '' });
    await until(() => browser.heard('older_failed') !== undefined);
    expect(browser.heard('older_failed')).toMatchObject({ reason: expect.stringMatching(/^older: before/) });
    const offline = world.browser(world.neighbours.device().id, LOGS);
    offline.socket.emit('watch', { view: 1 });
    await until(() => offline.heard('client_disconnect') !== undefined);
    const wrong = world.browser(world.neighbours.device().id, { ...LOGS, purpose: SocketPurpose.TERMINAL });
    await until(() => wrong.heard('connect_error') !== undefined);
    expect(wrong.heard('connect_error')).toMatchObject({ code: 'permission_denied' });
    const disabled = world.neighbours.device();
    disabled.sshEnabled = false;
    const off = world.browser(disabled.id, LOGS);
    await until(() => off.heard('connect_error') !== undefined);
    expect(off.heard('connect_error')).toMatchObject({ message: 'Not allowed: The console of bench-pi is disabled.' });
  });
});
