import { setTimeout as sleep } from 'node:timers/promises';
import { CountedOutput, CountedTyping, Rig } from '../../support/rig.ts';
import { long, soakBut } from '../../support/soak.ts';
import { measured, test } from '../../support/test.ts';
import type { ProcessName } from '../../stack/facts.ts';
import type { Warren } from '../../support/warren.ts';

/** A failure during output and input. */
interface Fault {
  name: string;
  /** Lines of output: about 10,000 come in a second. */
  lines?: number;
  /** Whether the browser has to reconnect. */
  breaks: boolean;
  happen: (at: { rig: Rig; warren: Warren }) => Promise<void>;
}

const services: ProcessName[] = ['identity', 'tenancy', 'devices', 'fleet', 'audit', 'tunnels', 'gateway'];

const killed = (name: ProcessName, breaks: boolean): Fault => ({
  name: `kill -9 of ${name}`,
  breaks,
  happen: async ({ warren }) => {
    await warren.hold(name);
    await warren.start(name);
  },
});

async function frozen(pid: number, ms: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  await sleep(ms);
  process.kill(pid, 'SIGCONT');
}

const stopMs = long ? 20_000 : 5_000;
const cutMs = long ? 30_000 : 4_000;

const faults: Fault[] = [
  killed('tunnels', true),
  killed('gateway', true),
  killed('redis', false),
  killed('nats', false),
  ...(['tunnels', 'gateway'] as const).map((name) => ({
    name: `SIGSTOP of ${name} for ${stopMs / 1_000} s`,
    breaks: false,
    happen: async ({ warren }: { warren: Warren }) => frozen((await warren.pids())[name], stopMs),
  })),
  {
    name: `SIGSTOP of the agent for ${stopMs / 1_000} s`,
    breaks: false,
    happen: ({ rig }) => frozen(rig.agent.pid, stopMs),
  },
  ...(['SIGKILL', 'SIGTERM'] as const).map((signal) => ({
    name: `${signal} of the agent, which is started again`,
    breaks: true,
    happen: async ({ rig }: { rig: Rig }) => {
      await rig.agent.stop(signal);
      rig.agent.start();
    },
  })),
  { name: "a reset of the agent's link", breaks: true, happen: async ({ rig }) => rig.agentSide.reset() },
  { name: "a reset of the browser's connection", breaks: true, happen: async ({ rig }) => rig.browserSide.reset() },
  {
    name: `no network at all for ${cutMs / 1_000} s`,
    breaks: long,
    happen: async ({ rig }) => {
      const sides = [rig.agentSide, rig.browserSide];
      for (const side of sides) side.unplug();
      await sleep(cutMs);
      for (const side of sides) side.plug();
      // What fell silent meanwhile stays so.
      for (const side of sides) side.deafen();
    },
  },
  {
    name: 'a slow network',
    breaks: false,
    lines: 20_000,
    happen: async ({ rig }) => {
      for (const side of [rig.agentSide, rig.browserSide]) side.weather = { delay: 40, rate: 256 * 1024 };
      await sleep(4_000);
      for (const side of [rig.agentSide, rig.browserSide]) side.clear();
    },
  },
  { name: 'an orderly stop of tunnels', breaks: true, happen: ({ warren }) => warren.restart('tunnels') },
  {
    name: 'a rolling restart of all services',
    breaks: true,
    happen: async ({ warren }) => {
      for (const name of services) await warren.restart(name);
    },
  },
];

/** One fault of each kind; the connection breaks in one way for whatever is killed. */
const soak = soakBut(
  'kill -9 of tunnels',
  'SIGKILL of the agent, which is started again',
  "a reset of the browser's connection",
  'no network at all for 4 s',
  'a rolling restart of all services',
);

test.describe('not a byte is lost, and none comes twice, through', () => {
  let rig: Rig;

  test.beforeAll(async ({ browser, warren }) => {
    rig = await Rig.make(browser, warren);
  });
  test.afterAll(() => rig?.remove());
  test.afterEach(async ({ warren }) => {
    for (const side of [rig.agentSide, rig.browserSide]) side.clear();
    await warren.restore();
    await rig.connected();
  });

  for (const { name, lines = long ? 300_000 : 30_000, breaks, happen } of faults) {
    test(name, soak(name), async ({ warren }) => {
      test.setTimeout(300_000);
      const typing = await CountedTyping.start(await rig.open());
      try {
        const output = await CountedOutput.start(await rig.open(), lines);
        const before = output.terminal.attachments;
        const since = Date.now();
        await happen({ rig, warren });
        if (breaks) await output.terminal.until(() => output.terminal.attachments > before);
        if (breaks) measured(`${name}: from the fault to the terminal again`, Date.now() - since, 'ms');
        await output.verify(100_000);
        await typing.verify(30_000);
        await output.terminal.close();
        await typing.terminal.close();
      } finally {
        typing.stop();
      }
    });
  }
});

test.describe('a connection that falls silent is noticed within 15 s', () => {
  let rig: Rig;

  test.beforeAll(async ({ browser, warren }) => {
    rig = await Rig.make(browser, warren);
  });
  test.afterAll(() => rig?.remove());

  for (const side of ['browserSide', 'agentSide'] as const) {
    test(`on the ${side === 'agentSide' ? "agent's" : "browser's"} side`, soakBut('agentSide')(side), async () => {
      const terminal = await rig.open();
      const output = await CountedOutput.start(terminal, 30_000);
      const before = terminal.attachments;
      const since = Date.now();
      rig[side].deafen();
      await terminal.until(() => terminal.attachments > before, 40_000);
      const took = Date.now() - since;
      measured(`${side} silent, to the terminal again`, took, 'ms');
      // A busy machine notices late; without a PING, it would take minutes.
      test.expect(took).toBeLessThan(30_000);
      await output.verify(60_000);
      await terminal.close();
    });
  }
});
