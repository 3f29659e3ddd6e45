import { chmod, copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launch, untilReady } from '@warren/infra/process';
import { page, type Address } from './address.ts';
import type { Control } from './control.ts';
import { agentProgram, agentSettings, readyNode, type Groups } from './settings.ts';

/** It makes its key, links, and is sent what it runs. */
const START_MS = 60_000;

/**
 * Makes a group of devices and starts an agent in it: a process in `folder`, not installed.
 * @returns the id of the device that it is
 */
export async function startAgent(
  program: string,
  folder: string,
  { address, person }: { address: Address; person: Control },
): Promise<{ nodeid: string; stop(): Promise<void> }> {
  const { meshid } = await person.ask<{ meshid: string }>('createmesh', { meshname: 'bench', meshtype: 2 });
  const id = meshid.split('/').at(-1) ?? '';
  const settings = await page(address, `/meshsettings?id=${encodeURIComponent(id)}`);
  const command = join(folder, 'meshagent');
  await copyFile(agentProgram(program, process.arch), command);
  await chmod(command, 0o700);
  await writeFile(`${command}.msh`, agentSettings(settings));
  let nodeid = '';
  const ready = async () => {
    nodeid = readyNode((await person.ask<{ nodes: Groups }>('nodes')).nodes) ?? '';
    if (nodeid === '') throw new Error('the server does not list it as ready');
  };
  const log = join(folder, 'agent.log');
  const spec = { name: "MeshCentral's agent", command, args: ['connect'], cwd: folder, log, ready };
  const running = launch(spec);
  try {
    await untilReady(spec, running, START_MS);
  } catch (error) {
    await running.stop();
    throw error;
  }
  return { nodeid, stop: () => running.stop() };
}
