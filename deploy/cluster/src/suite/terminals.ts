import { CountedOutput, CountedTyping } from '@warren/e2e/rig';
import { SurvivingTerminal } from '@warren/e2e/surviving';
import type { World } from './world.ts';

const OUTPUT_MS = 300_000;
const TYPED_MS = 120_000;

/**
 * Uses two terminals during an action on the hub: one prints numbered lines, one gets input.
 * @throws Error unless every byte arrives once and in order
 * @returns figures for the report
 */
export async function whileWorking(world: World, lines: number, work: () => Promise<void>): Promise<string> {
  const { way, agent } = await world.way();
  const typing = await CountedTyping.start(await SurvivingTerminal.open(way), {
    folder: '/tmp',
    read: (file) => world.read(file),
  });
  try {
    const output = await CountedOutput.start(await SurvivingTerminal.open(way), lines);
    output.terminal.watchGaps();
    const count = () => output.terminal.attachments + typing.terminal.attachments;
    const before = count();
    await work();
    await output.verify(OUTPUT_MS);
    await typing.verify(TYPED_MS);
    const gap = Math.round(output.terminal.longestGap);
    const said = `${lines} lines whole, ${count() - before} times attached again, longest gap ${gap} ms`;
    await output.terminal.close();
    await typing.terminal.close();
    return said;
  } finally {
    typing.stop();
    agent.destroy();
  }
}
