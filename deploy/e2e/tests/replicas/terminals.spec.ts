import { expect, measured, test } from '../../support/replicated.ts';
import { CountedOutput, CountedTyping, type Rig } from '../../support/rig.ts';
import type { ProcessName } from '../../stack/facts.ts';
import { SOAK } from '../../support/soak.ts';

test.describe('not a byte is lost, and none comes twice, through', () => {
  /** Types and counts while something happens. */
  async function through(rig: Rig, name: string, happen: (output: CountedOutput) => Promise<void>, lines: number) {
    const typing = await CountedTyping.start(await rig.open());
    try {
      const output = await CountedOutput.start(await rig.open(), lines);
      output.terminal.watchGaps();
      await happen(output);
      await output.verify(100_000);
      measured(`${name}: longest time without output`, output.terminal.longestGap, 'ms');
      await typing.verify(30_000);
      for (const { terminal } of [output, typing]) await terminal.close();
    } finally {
      typing.stop();
    }
  }

  test('the drain of the replica that holds the device, which moves to the other one', async ({
    directory,
    rig,
    warren,
  }) => {
    const before = await directory.owner(rig.device);
    await through(
      rig,
      'drain',
      async ({ terminal }) => {
        const { attachments } = terminal;
        await warren.stop(before);
        await terminal.until(() => terminal.attachments > attachments);
        await expect.poll(() => directory.owner(rig.device)).not.toBe(before);
      },
      60_000,
    );
    await warren.ready(before);
  });

  test('a rolling restart of all replicas', SOAK, async ({ rig, warren }) => {
    const names: ProcessName[] = ['gateway', 'tunnels', 'gateway-2', 'tunnels-2'];
    await through(
      rig,
      'rolling restart of 2 gateways and 2 tunnels',
      async () => {
        for (const name of names) await warren.restart(name);
      },
      150_000,
    );
  });

  test('kill -9 of the replica that holds the device, which goes to the other one', async ({
    directory,
    rig,
    warren,
  }) => {
    const before = await directory.owner(rig.device);
    await through(
      rig,
      'kill -9',
      async ({ terminal }) => {
        const { attachments } = terminal;
        await warren.hold(before);
        await terminal.until(() => terminal.attachments > attachments);
        await expect.poll(() => directory.owner(rig.device)).not.toBe(before);
      },
      60_000,
    );
    await warren.start(before);
  });
});
