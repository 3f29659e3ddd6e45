import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { RunConfig } from './config.ts';
import { UserError } from './errors.ts';
import { HubClock } from './link/clock.ts';
import { dialToken } from './link/credential.ts';
import { dialWithKeys, type KeyRing } from './link/keys.ts';
import { dial } from './link/dial.ts';
import { LinkKeeper } from './link/keeper.ts';
import { serveLink } from './link/link.ts';
import { agentHandler } from './link/service.ts';
import { Relays } from './relay/relays.ts';
import { DEFAULT_LIMITS } from './sessions/limits.ts';
import { SessionRegistry } from './sessions/registry.ts';
import { loadDevice, rotateKey } from './rotate.ts';
import { promoteNextKey, readNextKey } from './state/key.ts';
import { readStatus, StatusFile, type LinkStatus } from './state/status.ts';
import { loginShells } from './system/login.ts';
import { journalOf } from './system/journal/journal.ts';
import { rebootBy } from './system/reboot.ts';
import { Supervisor } from './system/supervisor.ts';
import { Places } from './update/places.ts';
import { Updates } from './update/updates.ts';

/** A running agent. */
export interface Agent {
  /** Ends every session, says goodbye to the hub, and settles when all is closed. */
  stop(): Promise<void>;
}

/**
 * Starts the agent, in this order: who am I, am I alone, what do I serve, keep the link.
 * @throws UserError when the device is not enrolled, or an agent already runs on this state folder
 */
export async function startAgent(config: RunConfig, version: string, log: Logger): Promise<Agent> {
  const device = await loadDevice(config.state);
  await refuseSecondAgent(config.state);
  const status = new StatusFile(config.state, (error) => log.warn({ err: error }, 'status file not written'));
  const open = loginShells(config.shellUser ?? device.enrolment.shell_user, config.lang, config.home);
  const registry = new SessionRegistry(open, DEFAULT_LIMITS, log);
  const updates = updatesOf(config, device.enrolment.hub, registry, version, log);
  const handler = agentHandler({
    registry,
    relays: new Relays(log),
    journal: journalOf(config.journalDir),
    reboot: rebootBy(config.rebootCommand),
    updates,
    rotateKey: () => rotateKey(config.state),
    version,
    log,
  });
  const supervisor = new Supervisor(config.supervision, log);
  const clock = new HubClock();
  const instance = randomUUID();
  const keeper = new LinkKeeper({
    dial: (signal) =>
      dialWithKeys(keysIn(config.state, log), async (key) => {
        const token = await dialToken(key, device.enrolment, clock.now(), instance);
        return dial({ hub: device.enrolment.hub, token, version, clock, signal });
      }),
    serve: (carrier) => serveLink(carrier, handler),
    onState: (state, problem) => {
      status.set(state, problem);
      supervisor.status(inWords(state, device.enrolment.hub, problem));
    },
    log,
  });
  log.info({ device: device.enrolment.device_id, hub: device.enrolment.hub, version }, 'agent starts');
  const running = keeper.run();
  // Not only when it is linked: the network may come later than the agent.
  supervisor.ready();
  return {
    stop: async () => {
      supervisor.stopping();
      updates.stop();
      registry.closeAll();
      await keeper.stop();
      await running;
      await status.flushed();
      log.info('agent stopped');
    },
  };
}

/** Updates are for an agent that was installed as a service: no other can put a version in place. */
function updatesOf(config: RunConfig, hub: string, registry: SessionRegistry, version: string, log: Logger): Updates {
  const { program, updateTrigger: trigger, state } = config;
  if (program === undefined || trigger === undefined) return new Updates(undefined);
  return new Updates({
    places: new Places(program, state),
    terminals: () => registry.running,
    refuseTerminals: () => registry.refuse('the agent of this device is being updated; try again in a minute'),
    ...{ hub, trigger, version, log },
  });
}

function inWords(state: LinkStatus['state'], hub: string, problem?: string): string {
  if (state === 'connected') return `Connected to ${hub}`;
  return state === 'waiting' ? `Not connected (${problem ?? 'no reason known'})` : `Connecting to ${hub}`;
}

/** Read for each dial, since `warren-agent rotate-key` may have changed them. */
function keysIn(folder: string, log: Logger): KeyRing {
  return {
    current: async () => (await loadDevice(folder)).key,
    next: () => readNextKey(folder),
    // The link is there all the same, and the next dial tries again.
    promote: () =>
      promoteNextKey(folder).then(
        () => log.info('the key that a rotation had left is in place'),
        (error: unknown) => log.warn({ err: error }, 'the new key could not be put in place'),
      ),
  };
}

/** Two agents with one key would take the device from each other for ever. */
async function refuseSecondAgent(folder: string): Promise<void> {
  const other = await readStatus(folder);
  if (other && other.pid !== process.pid) {
    throw new UserError(`an agent already runs on ${folder} (process ${other.pid})`);
  }
}
