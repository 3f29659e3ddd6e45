import { slowParts } from '@warren/transport/fastpath/fast.path';
import { canReadInto } from '@warren/transport/fastpath/read.into';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { RunConfig } from './config.ts';
import { dialAs } from './dial.ts';
import { UserError } from './errors.ts';
import { LinkKeeper } from './link/keeper.ts';
import { serveLink } from './link/link.ts';
import { agentHandler } from './link/service.ts';
import { Relays } from './relay/relays.ts';
import { Sampler } from './metrics/sampler.ts';
import { DiskReader } from './system/disks.ts';
import { DEFAULT_LIMITS } from './terminals/limits.ts';
import { parseNote } from './terminals/kept.ts';
import { pinOwners } from './terminals/list.ts';
import { TerminalRegistry } from './terminals/registry.ts';
import { loadDevice, rotateKey } from './rotate.ts';
import type { Enrolment } from './state/enrolment.ts';
import { readName } from './state/settings.ts';
import { readStatus, StatusFile, type LinkStatus } from './state/status.ts';
import { helperShells } from './system/helper.pty.ts';
import { keptShells, ownKeepers, restoreKept, type KeeperSettings } from './system/keepers.ts';
import { loginShells } from './system/login.ts';
import { journalOf } from './system/journal/journal.ts';
import type { OpenPty } from './system/pty.ts';
import { rebootBy } from './system/reboot.ts';
import { Supervisor } from './system/supervisor.ts';
import { Places } from './update/places.ts';
import { Updates } from './update/updates.ts';

/** A running agent. */
export interface Agent {
  /** Ends the terminals that can't outlive it, sends a GOAWAY to the hub, and settles when everything is closed. */
  stop(): Promise<void>;
}

/**
 * Starts the agent, in this order: identity, single-instance lock, services, link.
 * @throws UserError when the device is not enrolled, or an agent already runs on this state folder
 */
export async function startAgent(config: RunConfig, version: string, log: Logger): Promise<Agent> {
  const device = await loadDevice(config.state);
  await refuseSecondAgent(config.state);
  const status = statusFile(config, log);
  const keepers = keeperSettings(config, log);
  const registry = new TerminalRegistry(shellsOf(config, device.enrolment, keepers), DEFAULT_LIMITS, log);
  const updates = updatesOf(config, device.enrolment.hub, registry, version, log);
  const usage = usageOf(config, log);
  const handler = agentHandler({
    ...usage,
    registry,
    relays: new Relays(log),
    journal: journalOf(config.journalDir),
    reboot: rebootBy(config.rebootCommand),
    updates,
    rotateKey: () => rotateKey(config.state),
    name: nameIn(config.program),
    version,
    log,
  });
  const supervisor = new Supervisor(config.supervision, log);
  const { state: folder, deviceTree } = config;
  const hasPins = () => pinOwners(registry).length > 0;
  const keeper = new LinkKeeper({
    dial: dialAs(device.enrolment, { folder, version, deviceTree, log, hasPins, onStep: (step) => status.step(step) }),
    serve: (carrier) => serveLink(carrier, handler),
    onState: (state, problem, refused, wait) => {
      status.set({ state, problem, refused: refused || undefined, next_dial: timeIn(wait) });
      supervisor.status(inWords(state, device.enrolment.hub, problem));
    },
    // Nobody can end them over the hub any more.
    onDeleted: () => registry.unpinAll(),
    log,
  });
  logStart(device.enrolment, version, log);
  // Before the link: a browser that comes back at once finds its terminal.
  await restoreTerminals(registry, keepers);
  const running = keeper.run();
  // Also while not linked: the network may come up later than the agent.
  supervisor.ready();
  return {
    stop: async () => {
      supervisor.stopping();
      updates.stop();
      usage.sampler?.stop();
      registry.closeAll();
      await keeper.stop();
      await running;
      await status.close();
      log.info('agent stopped');
    },
  };
}

/** When a wait of milliseconds ends. */
const timeIn = (wait: number | undefined) =>
  wait === undefined ? undefined : new Date(Date.now() + wait).toISOString();

/** Reads disks, and starts to sample the usage of this device unless that is turned off. */
function usageOf({ metrics }: RunConfig, log: Logger): { disks: DiskReader; sampler?: Sampler } {
  const disks = new DiskReader();
  if (metrics === 'off') return { disks };
  const sampler = new Sampler(disks, (error) => log.warn({ err: error }, 'sample not taken'));
  sampler.start();
  return { disks, sampler };
}

function statusFile({ state, runtime }: RunConfig, log: Logger): StatusFile {
  return new StatusFile(state, runtime, (error) => log.warn({ err: error }, 'status file not written'));
}

function logStart({ device_id: device, hub }: Enrolment, version: string, log: Logger): void {
  log.info({ device, hub, version }, 'agent starts');
  canReadInto();
  const slow = slowParts();
  if (slow) log.warn(slow);
}

function keeperSettings({ keepers, state }: RunConfig, log: Logger): KeeperSettings {
  return { folder: keepers ?? join(state, 'keepers'), orphan: DEFAULT_LIMITS.orphan, log };
}

/** Shells of another user come through the helper, where the service has one; then root configures the user. */
function shellsOf(config: RunConfig, enrolment: Enrolment, keepers: KeeperSettings): OpenPty {
  const { shellSocket, shellUser, lang, home, helper } = config;
  if (shellSocket !== undefined) {
    // A service of an older version names no folder.
    return config.keepers === undefined
      ? helperShells(shellSocket, lang, keepers.log)
      : keptShells(shellSocket, lang, keepers);
  }
  const keep = helper === undefined ? undefined : ownKeepers(helper, keepers);
  return loginShells(shellUser ?? enrolment.shell_user, lang, home, keep);
}

function restoreTerminals(registry: TerminalRegistry, keepers: KeeperSettings): Promise<void> {
  return restoreKept(keepers, (held, pty) => {
    const { ring } = registry.adopt({ ...held, ...parseNote(held.note) }, pty);
    return () => ring.end;
  });
}

/** Only an agent that was installed as a service updates itself: no other can install a version. */
function updatesOf(config: RunConfig, hub: string, registry: TerminalRegistry, version: string, log: Logger): Updates {
  const { program, updateTrigger: trigger, state } = config;
  if (program === undefined || trigger === undefined) return new Updates(undefined);
  return new Updates({
    places: new Places(program, state),
    // The version before may not know of kept terminals.
    terminals: (back) => (back ? registry.running : registry.bound),
    refuseTerminals: () => registry.refuse('the agent of this device is being updated; try again in a minute'),
    hub,
    trigger,
    version,
    log,
  });
}

/** Read for each use, so that a new name needs no restart. */
function nameIn(program: string | undefined) {
  return program === undefined ? undefined : () => readName(program);
}

function inWords(state: LinkStatus['state'], hub: string, problem?: string): string {
  if (state === 'connected') return `Connected to ${hub}`;
  return state === 'waiting' ? `Not connected (${problem ?? 'no reason known'})` : `Connecting to ${hub}`;
}

/** Two agents with one key would keep taking the device from each other. */
async function refuseSecondAgent(folder: string): Promise<void> {
  const other = await readStatus(folder);
  if (other && other.pid !== process.pid) {
    throw new UserError(`an agent already runs on ${folder} (process ${other.pid})`);
  }
}
