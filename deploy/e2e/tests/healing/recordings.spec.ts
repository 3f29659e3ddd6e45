import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessName } from '../../stack/facts.ts';
import { bytesOf, recordingOf, setRecording } from '../../support/recordings.ts';
import { CountedOutput, Rig } from '../../support/rig.ts';
import { expect, test } from '../../support/test.ts';
import type { Warren } from '../../support/warren.ts';

/** A failure during the output of a recorded terminal. */
interface Fault {
  name: string;
  happen: (at: { rig: Rig; warren: Warren }) => Promise<void>;
}

const long = process.env['WARREN_SOAK'] === '1';

const killed = (name: ProcessName): Fault => ({
  name: `kill -9 of ${name}`,
  happen: async ({ warren }) => {
    await warren.hold(name);
    await sleep(long ? 10_000 : 1_000);
    await warren.start(name);
  },
});

const faults: Fault[] = [
  { name: 'no failure', happen: async () => {} },
  ...(['audit', 'tunnels', 'gateway', 'redis', 'nats'] as const).map(killed),
  {
    name: 'a store that takes nothing',
    happen: async ({ warren }) => {
      const folder = join(warren.facts.home, 'recordings');
      await rename(folder, `${folder}.away`);
      await sleep(long ? 20_000 : 3_000);
      await rename(`${folder}.away`, folder);
    },
  },
  {
    name: 'kill -9 of the agent',
    happen: async ({ rig }) => {
      await rig.agent.stop('SIGKILL');
      rig.agent.start();
    },
  },
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
    test(name, async ({ warren }) => {
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
});
