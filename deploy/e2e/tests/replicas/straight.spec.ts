import { expect, measured, test } from '../../support/replicated.ts';
import { CountedOutput, CountedTyping } from '../../support/rig.ts';
import type { ProcessName } from '../../stack/facts.ts';

test.describe('a terminal whose socket an ingress leads past the gateways, to the replica that does not hold its device,', () => {
  const other = (name: ProcessName): ProcessName => (name === 'tunnels' ? 'tunnels-2' : 'tunnels');

  for (const killed of ['holds the device', 'passes it on'] as const)
    test(`loses no byte when the one that ${killed} is killed, and repeats none`, async ({
      directory,
      rig,
      warren,
    }) => {
      test.setTimeout(150_000);
      const holder = await directory.owner(rig.device);
      const passing = other(holder);
      let routed = passing;
      const via = () => directory.addressOf(routed);
      // One as the console, one as a client that says no more than it must.
      const typing = await CountedTyping.start(await rig.open({ via, names: false }));
      try {
        const output = await CountedOutput.start(await rig.open({ via }), 60_000);
        await expect.poll(() => directory.owner(rig.device)).toBe(holder);
        const victim = killed === 'holds the device' ? holder : passing;
        const { attachments } = output.terminal;
        const since = Date.now();
        await warren.hold(victim);
        // An ingress does not route to a replica that is gone.
        routed = other(victim);
        await output.terminal.until(() => output.terminal.attachments > attachments);
        measured(`killed the one that ${killed}: to the terminal in use again`, Date.now() - since, 'ms');
        await expect.poll(() => directory.owner(rig.device)).toBe(routed);
        await output.verify(100_000);
        await typing.verify(30_000);
        for (const { terminal } of [output, typing]) await terminal.close();
        await warren.start(victim);
      } finally {
        typing.stop();
      }
    });
});
