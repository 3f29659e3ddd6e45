import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operatorEmail } from '@warren/local/people';
import type { Progress } from '@warren/local/progress';
import { defaultPorts, hub, places, portsOfReplica, type Settings } from '@warren/local/settings';
import { startWarren, type Warren } from '@warren/local/warren';
import { Proxy } from '@warren/infra/proxy';
import { busPasswords } from '@warren/local/steps/bus';
import { callerKeys } from '@warren/local/steps/callers';
import { opsPortOf, serviceNames } from '@warren/local/steps/services';
import { serveControl } from './control.ts';
import type { Facts, ProcessName } from './facts.ts';
import { freeBase } from './ports.ts';
import { receiveSpans } from './spans.ts';

async function factsOf(warren: Warren): Promise<Facts> {
  const { settings, urls, device, accounts } = warren;
  if (!device) throw new Error('the copy has no device');
  const password = (await readFile(join(places(settings.home).server('postgres'), 'password'), 'utf8')).trim();
  const database = `postgres://postgres:${password}@127.0.0.1:${settings.ports.postgres}/warren`;
  const processOf = (service: string) => (settings.together ? hub : service) as ProcessName;
  const runs = Object.fromEntries(serviceNames.map((name) => [name, processOf(name)]));
  const ops = Object.fromEntries(
    serviceNames.map((name) => [processOf(name), `http://127.0.0.1:${opsPortOf(settings, name)}`]),
  );
  const redis = `redis://127.0.0.1:${settings.ports.redis}`;
  const tunnels = Object.fromEntries(
    Array.from({ length: settings.replicas.tunnels }, (_, index) => [
      `http://127.0.0.1:${portsOfReplica(settings.ports, index + 1).tunnels}`,
      (index === 0 ? 'tunnels' : `tunnels-${index + 1}`) as ProcessName,
    ]),
  );
  const { home, ports } = settings;
  const nats = settings.given.nats ?? `nats://127.0.0.1:${ports.nats}`;
  const servers = { database, redis, nats, bus: await busPasswords(settings) };
  const known = { device, accounts: [...accounts], operator: operatorEmail, callers: await callerKeys(settings) };
  return { ...urls, runs, ops, home, ...known, ...servers, tunnels };
}

/** A running copy of the product with a separate home and ports, and the address at which tests control it. */
export interface Stack {
  control: string;
  facts: Facts;
  /** The copy, for code in the process that started it. */
  warren: Pick<Warren, 'migrate' | 'replace' | 'databases'>;
  /** Stops everything and keeps only the logs. @throws Error if the bus refused a call of a service */
  stop(): Promise<void>;
}

const ALONE: Settings['replicas'] = { gateway: 1, tunnels: 1 };

/** Returns the addresses of the copy's processes. With several gateways the hub's address is that of their load balancer. */
async function addresses(replicas: Settings['replicas']): Promise<{ variables: NodeJS.ProcessEnv; door?: Proxy }> {
  const base = await freeBase(replicas);
  const variables = {
    WARREN_PORT: String(base),
    WARREN_GATEWAY_REPLICAS: String(replicas.gateway),
    WARREN_TUNNELS_REPLICAS: String(replicas.tunnels),
  };
  if (replicas.gateway === 1) return { variables };
  const shift = base - defaultPorts.gateway;
  const gateways = Array.from(
    { length: replicas.gateway },
    (_, index) => portsOfReplica(defaultPorts, index + 1).gateway + shift,
  );
  const door = await Proxy.start(...gateways);
  return { variables: { ...variables, WARREN_URL: `http://localhost:${door.port}` }, door };
}

/** Lists permission violations of services from the log of NATS, which show gaps in the table of rights. */
async function refusedByBus(home: string): Promise<string[]> {
  const log = await readFile(places(home).log('nats'), 'utf8').catch(() => '');
  // The doctor tries forbidden calls on purpose.
  return log
    .split('\n')
    .filter((line) => line.includes(' Violation - ') && !line.includes('"warren.identity.v1.doctor"'));
}

/**
 * Starts a copy beside whatever else runs on this machine.
 * @param logs the folder in which the logs are left when the copy has stopped, or did not start
 * @param own settings of it, by their variables
 * @param root the built checkout whose services and agent run; this one if not given
 */
export async function startStack(
  progress: Progress,
  logs: string,
  replicas = ALONE,
  own: NodeJS.ProcessEnv = {},
  root?: string,
): Promise<Stack> {
  const home = await mkdtemp(join(tmpdir(), 'warren-e2e-'));
  await mkdir(join(home, 'user'));
  const spans = await receiveSpans();
  const { variables, door } = await addresses(replicas);
  const environment = {
    // Most tests of survival end one service.
    WARREN_SERVICES: 'apart',
    ...process.env,
    ...own,
    WARREN_HOME: home,
    ...variables,
    WARREN_OTLP_URL: spans.url,
    // As on devices: WARREN_UPDATE_STAY.
    WARREN_ROLLOUT_TRIAL_SECONDS: '20',
    // Shells of the tests read no profile of the person who runs them.
    HOME: join(home, 'user'),
    // Tests press the button too.
    WARREN_REBOOT_COMMAND: 'true',
  };
  const clear = async () => {
    await door?.stop();
    await spans.close();
    await rm(logs, { recursive: true, force: true });
    await cp(places(home).logs, logs, { recursive: true });
    await rm(home, { recursive: true, force: true });
  };
  try {
    const warren = await startWarren({ environment, progress, ...(root !== undefined && { root }) });
    const facts = await factsOf(warren);
    const control = await serveControl(warren, facts, spans);
    const stop = async () => {
      await control.close();
      await warren.stop();
      const refused = await refusedByBus(home);
      await clear();
      if (refused.length > 0) throw new Error(`NATS refused a service what it asked for:\n${refused.join('\n')}`);
    };
    return { control: control.url, facts, warren, stop };
  } catch (error) {
    await clear();
    throw new Error(`the copy did not start; its logs are in ${logs}`, { cause: error });
  }
}
