import { setTimeout as sleep } from 'node:timers/promises';
import { FastOutput } from '../../support/fast.output.ts';
import { killed, NO_FAULT, STORE_AWAY, type Fault } from '../../support/recording.faults.ts';
import { bytesOf, hashOf, recordingOf, setRecording } from '../../support/recordings.ts';
import { CountedOutput, Rig } from '../../support/rig.ts';
import { long, soakBut } from '../../support/soak.ts';
import { expect, measured, test } from '../../support/test.ts';
import type { Warren } from '../../support/warren.ts';

const AGENT_KILLED: Fault<{ rig: Rig }> = {
  name: 'kill -9 of the agent',
  happen: async ({ rig }) => {
    await rig.agent.stop('SIGKILL');
    rig.agent.start();
  },
};

const faults: Fault<{ rig: Rig; warren: Warren }>[] = [
  NO_FAULT,
  ...(['audit', 'tunnels', 'gateway', 'redis', 'nats'] as const).map(killed),
  STORE_AWAY,
  AGENT_KILLED,
  {
    name: 'a cut of the network of the agent',
    happen: async ({ rig }) => {
      rig.agentSide.unplug();
      await sleep(long ? 30_000 : 2_000);
      rig.agentSide.plug();
      rig.agentSide.deafen();
    },
  },
];

/** Those of fast output, which is also what `make test` records through a kill: a minute of 10 MB/s through each in a soak. */
const fast = long ? faults : [killed('audit'), AGENT_KILLED];
const MEGABYTES = long ? 600 : 30;

test.describe('a recording equals what the program wrote, through', () => {
  let rig: Rig;

  test.beforeAll(async ({ browser, warren }) => {
    rig = await Rig.make(browser, warren);
    await setRecording(rig.request, warren.facts.hub, warren.facts.device.account, 'required');
  });
  test.afterAll(async ({ warren }) => {
    await setRecording(rig.request, warren.facts.hub, warren.facts.device.account, 'off').catch(() => {});
    await rig?.remove();
  });
  test.afterEach(async ({ warren }) => {
    for (const side of [rig.agentSide, rig.browserSide]) side.clear();
    await warren.restore();
    await rig.connected();
  });

  for (const { name, happen } of faults) {
    test(name, soakBut(STORE_AWAY.name)(name), async ({ warren }) => {
      test.setTimeout(300_000);
      const terminal = await rig.open();
      const output = await CountedOutput.start(terminal, long ? 1_000_000 : 60_000);
      await happen({ rig, warren });
      await output.verify(120_000);
      terminal.type('exit 3\r');
      const { id, exit, gaps } = await recordingOf(rig.request, warren.facts.device.account, terminal.id);
      expect([exit, gaps]).toEqual([3, 0]);
      const recorded = await bytesOf(rig.request, id);
      const shown = terminal.output;
      expect(recorded.length).toBeGreaterThanOrEqual(shown.length);
      expect(recorded.subarray(0, shown.length).equals(shown)).toBe(true);
      await terminal.close();
    });
  }

  for (const { name, happen } of fast) {
    test(`${name}, with up to 10 MB/s`, async ({ warren }) => {
      test.setTimeout(long ? 1_200_000 : 300_000);
      const terminal = await rig.open();
      const output = await FastOutput.start(terminal, MEGABYTES);
      await happen({ rig, warren });
      await output.verify(long ? 600_000 : 120_000);
      measured('output', output.rate, 'MB/s');
      const { length, hash } = output.shown;
      terminal.type('exit 3\r');
      const { id, exit, gaps } = await recordingOf(rig.request, warren.facts.device.account, terminal.id);
      expect([exit, gaps]).toEqual([3, 0]);
      expect(await hashOf(rig.request, id, length)).toBe(hash);
      await terminal.close();
    });
  }
});
