import { describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Recording, TerminalRefusal } from '@warren/proto/agent/v1/agent';
import { RecordingPolicy } from '@warren/proto/audit/v1/recordings';
import { v7 as uuidv7 } from 'uuid';
import type { FakeAgentOptions } from './fake.agent.ts';
import { RecordedStage } from './recorded.stage.ts';
import { Recorder } from './recorder.ts';
import type { Browser } from './world.ts';

describe('a recorded terminal', () => {
  const stage = new RecordedStage();

  const link = (options: FakeAgentOptions = {}) => stage.link({ shares: true, records: true, ...options });
  const register = (register: object = {}): Browser => {
    const browser = stage.world.browser(stage.device.id);
    browser.socket.emit('register', { cols: 80, rows: 24, join: true, acks: true, ...register });
    return browser;
  };
  const status = async (browser: Browser) => {
    await until(() => browser.heard('register_status') !== undefined);
    return browser.heard('register_status') as { success: boolean; code?: string; error?: string; session: string };
  };
  /** The terminal of the agent whose call is the recorder's. */
  const followed = async () => {
    await until(() => stage.agent.terminals.some(({ inputs }) => isRecorder(inputs[0]?.kind.value)));
    return stage.agent.terminals.findLast(({ inputs }) => isRecorder(inputs[0]?.kind.value))!;
  };

  it('of an account that requires it opens when its recorder reads it, and not before', async () => {
    stage.world.neighbours.policies.set(stage.device.id, RecordingPolicy.REQUIRED);
    await link();
    const browser = register();
    await until(() => stage.agent.terminals.length > 0);
    await stage.agent.last().print('early ');
    const recorder = await stage.record('terminal');
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
    stage.world.neighbours.policies.set(stage.device.id, RecordingPolicy.REQUIRED);
    await link();
    const browser = register();
    expect(await status(browser)).toMatchObject({ success: false, code: 'unrecorded' });
    expect(browser.outputs).toEqual([]);
    await until(() => stage.agent.terminals[0]?.inputs.at(-1)?.kind.case === 'close');
    await until(async () => (await stage.announced()).length === 0);
  });

  it('is refused where the agent is too old for what is required, and marked where it is not', async () => {
    stage.world.neighbours.policies.set(stage.device.id, RecordingPolicy.REQUIRED);
    await link({ records: false });
    const refused = await status(register());
    expect(refused).toMatchObject({ success: false, code: 'outdated' });
    expect(refused.error).toContain('update it to 0.2.0 or later');
    stage.world.neighbours.policies.set(stage.device.id, RecordingPolicy.BEST_EFFORT);
    const browser = register();
    expect((await status(browser)).success).toBe(true);
    await until(() => browser.heard('recording') !== undefined);
    expect(browser.heard('recording')).toMatchObject({ recorded: false, state: 'unsupported' });
  });

  it('is nothing new for an account without recordings', async () => {
    await link();
    const browser = register();
    expect((await status(browser)).success).toBe(true);
    expect(stage.agent.last().inputs[0]?.kind.value).toMatchObject({ record: Recording.UNSPECIFIED });
    expect(browser.heard('recording')).toBeUndefined();
  });

  it('opens by the policy of before while audit is away, and not without one', async () => {
    await link();
    expect((await status(register())).success).toBe(true);
    stage.world.neighbours.auditAway = true;
    try {
      expect((await status(register())).success).toBe(true);
      stage.device = stage.world.neighbours.device();
      await link();
      const unknown = register();
      await until(() => unknown.heard('connect_error') !== undefined);
      expect(unknown.heard('connect_error')).toMatchObject({ code: 'unavailable' });
    } finally {
      stage.world.neighbours.auditAway = false;
    }
  });

  it('opens at once where best effort is enough, and shows when the store has trouble', async () => {
    stage.world.neighbours.policies.set(stage.device.id, RecordingPolicy.BEST_EFFORT);
    await link();
    const browser = register();
    expect((await status(browser)).success).toBe(true);
    const recorder = await stage.record('terminal');
    await followed();
    recorder.send({ case: 'trouble', value: 'The store is slow.' });
    await until(() => browser.heard('recording')?.['state'] === 'interrupted');
    expect(browser.heard('recording')?.['reason']).toContain('The store is slow.');
    recorder.send({ case: 'trouble', value: '' });
    await until(() => browser.heard('recording')?.['state'] === 'recording');
  });

  it('is stored up to where a recorder begins, whatever the one before has said', async () => {
    stage.world.neighbours.policies.set(stage.device.id, RecordingPolicy.BEST_EFFORT);
    await link();
    const browser = register();
    expect((await status(browser)).success).toBe(true);
    await stage.agent.last().print('stored');
    await stage.record('terminal', 6);
    const source = await followed();
    const kinds = () => source.inputs.map(({ kind }) => kind as { case: string; value: unknown });
    await until(() => kinds().some((kind) => kind.case === 'stored' && kind.value === 6n));
  });

  it('has one recorder: that of the latest claim', async () => {
    stage.world.neighbours.policies.set(stage.device.id, RecordingPolicy.BEST_EFFORT);
    await link();
    const { session } = await status(register());
    const first = await stage.record('terminal');
    await followed();
    const early = stage.ticketFor(session, 900n);
    const ticket = stage.ticketFor(session, 1_000n);
    expect(() => stage.ticketFor(session, 999n)).toThrow('A later claim has this session.');
    await stage.dial(ticket);
    await until(() => first.ended);
    for (const one of [ticket, early]) expect(await Recorder.dial(stage.world.url, one)).toBe(401);
    expect(await Recorder.dial(stage.world.url, 'x'.repeat(43))).toBe(401);
    stage.claim = 1_001n;
  });

  it('is only for audit', () => {
    const recorded = stage.sources;
    const of = { deviceId: stage.device.id, session: 's', claim: 1n };
    expect(() => recorded.recordTerminal(serviceCaller('gateway'), of)).toThrow(
      expect.objectContaining({ code: 'permission_denied' }),
    );
    expect(() => recorded.recordTerminal(serviceCaller('audit'), of)).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
  });

  it('is announced until its recording is closed, also when its device comes back without anybody', async () => {
    stage.world.neighbours.policies.set(stage.device.id, RecordingPolicy.BEST_EFFORT);
    await link();
    const browser = register();
    const { session } = await status(browser);
    await until(async () => (await stage.announced()).includes(session));
    browser.socket.disconnect();
    stage.agent.close();
    await until(async () => !(await stage.announced()).includes(session));
    await link();
    const recorder = await stage.record('terminal');
    expect((await recorder.terminal()).session).toBe(session);
    const source = await followed();
    expect(source.inputs[0]?.kind.value).toMatchObject({ session, record: true });
    source.refuse('this terminal has ended', TerminalRefusal.GONE);
    await until(() => recorder.of('output') !== undefined);
    recorder.send({ case: 'closed', value: { $typeName: 'warren.tunnels.v1.RecordingClosed' } });
    await until(async () => !(await stage.announced()).includes(session));
    expect(stage.sources.find(stage.device.id, session)).toBeUndefined();
    expect(stage.agent.asked).toEqual([]);
  });

  it('ends when its device moves to another account', async () => {
    stage.world.neighbours.policies.set(stage.device.id, RecordingPolicy.BEST_EFFORT);
    await link();
    const { session } = await status(register());
    await until(async () => (await stage.announced()).includes(session));
    const previousAccountId = stage.device.accountId;
    Object.assign(stage.world.neighbours.devices.get(stage.device.id) ?? {}, { accountId: uuidv7() });
    await stage.world.publish({
      case: 'deviceChanged',
      value: { deviceId: stage.device.id, previousAccountId },
    } as never);
    const why = 'its device was moved to another account';
    await until(() => stage.agent.asked.some((one) => (one as { why?: string }).why === why));
    expect(stage.agent.asked).toContainEqual(expect.objectContaining({ session, why }));
  });

  it('that is required ends when its recording is closed before it, and says why', async () => {
    stage.world.neighbours.policies.set(stage.device.id, RecordingPolicy.REQUIRED);
    await link();
    const browser = register();
    const recorder = await stage.record('terminal');
    const { session } = await status(browser);
    await followed();
    recorder.send({ case: 'closed', value: { $typeName: 'warren.tunnels.v1.RecordingClosed' } });
    await until(() => stage.agent.asked.length > 0);
    expect(stage.agent.asked).toMatchObject([{ session, why: 'its recording is closed' }]);
    expect(browser.heard('recording')).toMatchObject({ state: 'waiting' });
    expect(browser.heard('recording')?.['reason']).toContain('The recording is closed.');
  });
});

const isRecorder = (open: unknown) => (open as { record?: unknown } | undefined)?.record === true;
