import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { until } from '@warren/infra/until';
import { RECORDINGS } from '@warren/platform/broker/keys';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Recording, TerminalRefusal } from '@warren/proto/agent/v1/agent';
import { RecordingPolicy } from '@warren/proto/audit/v1/recordings';
import { v7 as uuidv7 } from 'uuid';
import { Links } from '../src/links/links.ts';
import { RecordedSources } from '../src/recordings/recorded.sources.ts';
import type { FakeAgent, FakeAgentOptions, TestDevice } from './fake.agent.ts';
import { Recorder } from './recorder.ts';
import { World, type Browser } from './world.ts';

jest.setTimeout(60_000);

describe('a recorded terminal', () => {
  let world: World;
  let device: TestDevice;
  let agent: FakeAgent;
  const recorders: Recorder[] = [];
  let claim = 1n;

  const link = async (options: FakeAgentOptions = {}) => {
    agent = await world.agent(device, { shares: true, records: true, ...options });
    await until(() => world.app.get(Links).get(device.id) !== undefined);
  };
  const register = (register: object = {}): Browser => {
    const browser = world.browser(device.id);
    browser.socket.emit('register', { cols: 80, rows: 24, join: true, acks: true, ...register });
    return browser;
  };
  const status = async (browser: Browser) => {
    await until(() => browser.heard('register_status') !== undefined);
    return browser.heard('register_status') as { success: boolean; code?: string; error?: string; session: string };
  };
  const announced = () => world.app.get(RedisLink).client.zrange(RECORDINGS.terminals, 0, -1);
  const ticketFor = (session: string, number = claim++) =>
    world.app
      .get(RecordedSources)
      .recordTerminal(serviceCaller('audit'), { deviceId: device.id, session, claim: number }).ticket;
  /** Waits for an announcement of this device and follows its terminal. */
  const record = async (from = 0): Promise<Recorder> => {
    await until(async () => (await announced()).some((member) => member.includes(device.id)));
    const member = (await announced()).find((one) => one.includes(device.id));
    const recorder = await Recorder.dial(world.url, ticketFor(member?.split('/')[2] ?? ''));
    if (!(recorder instanceof Recorder)) throw new Error(`refused with ${recorder}`);
    recorders.push(recorder);
    await recorder.terminal();
    recorder.send({ case: 'from', value: BigInt(from) });
    return recorder;
  };
  /** The terminal of the agent whose call is the recorder's. */
  const followed = async () => {
    await until(() => agent.terminals.some(({ inputs }) => isRecorder(inputs[0]?.kind.value)));
    return agent.terminals.findLast(({ inputs }) => isRecorder(inputs[0]?.kind.value))!;
  };

  beforeAll(async () => {
    world = await World.start({ redis: process.env['TEST_REDIS_URL'] ?? '', nats: process.env['TEST_NATS_URL'] ?? '' });
  });
  beforeEach(() => {
    device = world.neighbours.device();
  });
  afterEach(() => {
    for (const recorder of recorders.splice(0)) recorder.close();
    agent?.close();
  });
  afterAll(async () => world?.stop());

  it('of an account that requires it opens when its recorder reads it, and not before', async () => {
    world.neighbours.policies.set(device.id, RecordingPolicy.REQUIRED);
    await link();
    const browser = register();
    await until(() => agent.terminals.length > 0);
    await agent.last().print('early ');
    const recorder = await record();
    expect(browser.heard('register_status')).toBeUndefined();
    expect(browser.outputs).toEqual([]);
    expect((await status(browser)).success).toBe(true);
    await until(() => browser.heard('recording') !== undefined);
    expect(browser.heard('recording')).toMatchObject({
      recorded: true,
      mode: 'required',
      state: 'recording',
      reason: '',
    });
    await until(() => browser.text().includes('early'));
    const source = await followed();
    await source.print('all bytes');
    await until(() => recorder.text === 'all bytes');
    recorder.send({ case: 'stored', value: 9n });
    recorder.send({ case: 'ack', value: 9n });
    const stored = () => source.inputs.some(({ kind }) => (kind as { case: string }).case === 'stored');
    await until(() => stored() && source.acked() === 9);
  });

  it('of an account that requires it is refused without a recorder, and ends', async () => {
    world.neighbours.policies.set(device.id, RecordingPolicy.REQUIRED);
    await link();
    const browser = register();
    expect(await status(browser)).toMatchObject({ success: false, code: 'unrecorded' });
    expect(browser.outputs).toEqual([]);
    await until(() => agent.terminals[0]?.inputs.at(-1)?.kind.case === 'close');
    await until(async () => !(await announced()).some((member) => member.includes(device.id)));
  });

  it('is refused where the agent is too old for what is required, and marked where it is not', async () => {
    world.neighbours.policies.set(device.id, RecordingPolicy.REQUIRED);
    await link({ records: false });
    const refused = await status(register());
    expect(refused).toMatchObject({ success: false, code: 'outdated' });
    expect(refused.error).toContain('update it to 0.2.0 or later');
    world.neighbours.policies.set(device.id, RecordingPolicy.BEST_EFFORT);
    const browser = register();
    expect((await status(browser)).success).toBe(true);
    await until(() => browser.heard('recording') !== undefined);
    expect(browser.heard('recording')).toMatchObject({ recorded: false, state: 'unsupported' });
  });

  it('is nothing new for an account without recordings', async () => {
    await link();
    const browser = register();
    expect((await status(browser)).success).toBe(true);
    expect(agent.last().inputs[0]?.kind.value).toMatchObject({ record: Recording.UNSPECIFIED });
    expect(browser.heard('recording')).toBeUndefined();
  });

  it('opens by the policy of before while audit is away, and not without one', async () => {
    await link();
    expect((await status(register())).success).toBe(true);
    world.neighbours.auditAway = true;
    try {
      expect((await status(register())).success).toBe(true);
      device = world.neighbours.device();
      await link();
      const unknown = register();
      await until(() => unknown.heard('connect_error') !== undefined);
      expect(unknown.heard('connect_error')).toMatchObject({ code: 'unavailable' });
    } finally {
      world.neighbours.auditAway = false;
    }
  });

  it('opens at once where best effort is enough, and shows when the store has trouble', async () => {
    world.neighbours.policies.set(device.id, RecordingPolicy.BEST_EFFORT);
    await link();
    const browser = register();
    expect((await status(browser)).success).toBe(true);
    const recorder = await record();
    await followed();
    recorder.send({ case: 'trouble', value: 'The store is slow.' });
    await until(() => browser.heard('recording')?.['state'] === 'interrupted');
    expect(browser.heard('recording')?.['reason']).toContain('The store is slow.');
    recorder.send({ case: 'trouble', value: '' });
    await until(() => browser.heard('recording')?.['state'] === 'recording');
  });

  it('is stored up to where a recorder begins, whatever the one before has said', async () => {
    world.neighbours.policies.set(device.id, RecordingPolicy.BEST_EFFORT);
    await link();
    const browser = register();
    expect((await status(browser)).success).toBe(true);
    await agent.last().print('stored');
    await record(6);
    const source = await followed();
    const kinds = () => source.inputs.map(({ kind }) => kind as { case: string; value: unknown });
    await until(() => kinds().some((kind) => kind.case === 'stored' && kind.value === 6n));
  });

  it('has one recorder: that of the latest claim', async () => {
    world.neighbours.policies.set(device.id, RecordingPolicy.BEST_EFFORT);
    await link();
    const { session } = await status(register());
    const first = await record();
    await followed();
    const ticket = ticketFor(session, 1_000n);
    expect(() => ticketFor(session, 999n)).toThrow('A later claim has this session.');
    const second = await Recorder.dial(world.url, ticket);
    recorders.push(second as Recorder);
    await until(() => first.ended);
    expect(await Recorder.dial(world.url, ticket)).toBe(401);
    expect(await Recorder.dial(world.url, 'x'.repeat(43))).toBe(401);
    claim = 1_001n;
  });

  it('is only for audit', () => {
    const recorded = world.app.get(RecordedSources);
    const of = { deviceId: device.id, session: 's', claim: 1n };
    expect(() => recorded.recordTerminal(serviceCaller('gateway'), of)).toThrow(
      expect.objectContaining({ code: 'permission_denied' }),
    );
    expect(() => recorded.recordTerminal(serviceCaller('audit'), of)).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
  });

  it('is announced until its recording is closed, also when its device comes back without anybody', async () => {
    world.neighbours.policies.set(device.id, RecordingPolicy.BEST_EFFORT);
    await link();
    const browser = register();
    const { session } = await status(browser);
    await until(async () => (await announced()).some((member) => member.endsWith(session)));
    browser.socket.disconnect();
    agent.close();
    await until(async () => !(await announced()).some((member) => member.endsWith(session)));
    await link();
    const recorder = await record();
    expect((await recorder.terminal()).session).toBe(session);
    const source = await followed();
    expect(source.inputs[0]?.kind.value).toMatchObject({ session, record: true });
    source.refuse('this terminal has ended', TerminalRefusal.GONE);
    await until(() => recorder.of('output') !== undefined);
    recorder.send({ case: 'closed', value: { $typeName: 'warren.tunnels.v1.RecordingClosed' } });
    await until(async () => !(await announced()).some((member) => member.endsWith(session)));
    expect(world.app.get(RecordedSources).find(device.id, session)).toBeUndefined();
    expect(agent.asked).toEqual([]);
  });

  it('ends when its device moves to another account', async () => {
    world.neighbours.policies.set(device.id, RecordingPolicy.BEST_EFFORT);
    await link();
    const { session } = await status(register());
    await until(async () => (await announced()).some((member) => member.endsWith(session)));
    const previousAccountId = device.accountId;
    Object.assign(world.neighbours.devices.get(device.id) ?? {}, { accountId: uuidv7() });
    await world.publish({ case: 'deviceChanged', value: { deviceId: device.id, previousAccountId } } as never);
    const why = 'its device was moved to another account';
    await until(() => agent.asked.some((one) => (one as { why?: string }).why === why));
    expect(agent.asked).toContainEqual(expect.objectContaining({ session, why }));
  });

  it('that is required ends when its recording is closed before it, and says why', async () => {
    world.neighbours.policies.set(device.id, RecordingPolicy.REQUIRED);
    await link();
    const browser = register();
    const recorder = await record();
    const { session } = await status(browser);
    await followed();
    recorder.send({ case: 'closed', value: { $typeName: 'warren.tunnels.v1.RecordingClosed' } });
    await until(() => agent.asked.length > 0);
    expect(agent.asked).toMatchObject([{ session, why: 'its recording is closed' }]);
    expect(browser.heard('recording')).toMatchObject({ state: 'waiting' });
    expect(browser.heard('recording')?.['reason']).toContain('The recording is closed.');
  });
});

const isRecorder = (open: unknown) => (open as { record?: unknown } | undefined)?.record === true;
