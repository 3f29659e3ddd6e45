import { rm } from 'node:fs/promises';
import { readText } from '../system/files.ts';
import { runProgram } from '../system/program.ts';
import type { Units } from './units.ts';

/** The agent's service manager. */
export interface Service {
  /**
   * Installs the start script and the helper of a version in place of those of another one.
   * @param version its folder below `versions`
   * @returns whether anything changed, so that the agent has to be restarted
   */
  place(version: string, former: string): Promise<boolean>;
  /** Restarts the agent; rejects when it does not come up. */
  restart(): Promise<void>;
  /** Whether the device itself is going down. */
  goingDown(): Promise<boolean>;
}

/** No verdict on the version: the device itself is going down. The trial continues after the boot. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}

const UNIT = '/etc/systemd/system/warren-agent.service';

/** The service of an installed program, or undefined where it runs without one. */
export async function serviceOf(program: string, name: string): Promise<Pick<Service, 'restart'> | undefined> {
  return (await readText(UNIT)).includes(`${program}/`) ? { restart: () => restart(name) } : undefined;
}

const RESTART_MS = 100_000;
const ASK_MS = 10_000;
const CHANGE_MS = 30_000;

/** The service of systemd with this name, and its units. */
export function systemdService(name: string, units: Units): Service {
  return {
    place: (version, former) => place(units, version, former),
    goingDown: isGoingDown,
    restart: () => restart(name),
  };
}

async function restart(name: string): Promise<void> {
  await runProgram('systemctl', ['restart', name], RESTART_MS).catch(async (cause: unknown) => {
    if (await isGoingDown()) throw new Interrupted('the device goes down', { cause });
    // systemctl's output here fills a terminal and names no reason.
    throw new Error(`it does not start: see journalctl -u ${name} on the device`, { cause });
  });
}

async function place(units: Units, version: string, former: string): Promise<boolean> {
  const { written, added, obsolete } = await units.write(version, former);
  for (const unit of obsolete) {
    await runProgram('systemctl', ['disable', '--now', unit], CHANGE_MS);
    await rm(units.path(unit), { force: true });
  }
  const different = written.length + obsolete.length > 0;
  if (!different && added.length === 0) return false;
  await runProgram('systemctl', ['daemon-reload'], CHANGE_MS);
  // A unit without [Install] is started by others.
  for (const unit of added) await runProgram('systemctl', ['enable', '--now', unit], CHANGE_MS).catch(() => {});
  return different;
}

/** A system that is stopping refuses to start anything, and one that is losing power stops answering. */
async function isGoingDown(): Promise<boolean> {
  const said = await runProgram('systemctl', ['show', '--property=SystemState', '--value'], ASK_MS).catch(() => '');
  return ['', 'stopping', 'offline'].includes(said.trim());
}
