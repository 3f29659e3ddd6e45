import { mkdir } from 'node:fs/promises';
import { withDatabase } from '@warren/infra/provision';
import { plainEnvironment, Processes, type Context } from './context.ts';
import { lock } from './lock.ts';
import { prepareLogs } from './logs.ts';
import { people } from './people.ts';
import { becomeTypist } from './person.ts';
import { silent, terminalProgress, type Progress } from './progress.ts';
import { places, readSettings, root, type Settings } from './settings.ts';
import { startAgent, type Device, type Link } from './steps/agent.ts';
import { build } from './steps/build.ts';
import { busPasswords } from './steps/bus.ts';
import { callerKeys } from './steps/callers.ts';
import { startCompanions } from './steps/companions.ts';
import { checkPorts } from './steps/ports.ts';
import { findSources } from './steps/programs.ts';
import { redisPasswords } from './steps/redis-users.ts';
import { replacing, type Version } from './steps/replace.ts';
import { seed, type Accounts } from './steps/seed.ts';
import { provisionDatabase, startServers } from './steps/servers.ts';
import { migrate, startServices } from './steps/services.ts';
import type { Supervised } from './supervised.ts';

export interface StartOptions {
  /** WARREN_* variables; defaults to the process's environment. */
  environment?: NodeJS.ProcessEnv;
  /** Output of the steps; defaults to standard output. */
  progress?: Progress;
  /** Shows nothing. */
  quiet?: boolean;
  /** Ends the start between two steps. */
  signal?: AbortSignal;
  /** Whether this machine becomes the first device; defaults to true. */
  agent?: boolean;
  /** Target of its agent; defaults to the gateway. */
  link?: Link;
  /** A built checkout of another version to run; defaults to this one. */
  root?: string;
}

/** A running Warren. */
export interface Warren {
  settings: Settings;
  /** Public origin of the hub, page of the mail catcher, address of the sign-in. */
  urls: { hub: string; mail: string; idp: string };
  /** The people who can sign in. */
  people: typeof people;
  accounts: Accounts;
  /** This machine, when its agent runs. */
  device: Device | undefined;
  /** The address of its database, by service. */
  databases: Record<string, string>;
  /** The address of that database for its administrator. */
  administrator: string;
  /** Names of all processes: postgres, redis, nats, idp, mail, those of the services (the hub, or one for each), agent. */
  processes(): string[];
  /** One of them: its pid, `kill(signal)`, after which it comes back by itself, and `ready()` to wait for that. */
  process(name: string): Supervised;
  /** Migrates the schemas to the version of a checkout. */
  migrate(root: string): Promise<void>;
  /** Stops a service, Redis or NATS gracefully, and starts that of another version. */
  replace(name: string, by: Version): Promise<void>;
  /** Stops all in order; the data stays. */
  stop(): Promise<void>;
}

type Start = Omit<Warren, 'processes' | 'process' | 'stop'>;

async function steps(context: Context, options: StartOptions): Promise<Start> {
  const { settings, progress } = context;
  const step = <T>(name: string, work: (note: (text: string) => void) => Promise<T>) => {
    options.signal?.throwIfAborted();
    return progress.step(name, work);
  };
  const sources = await step('Programs', (note) => findSources(settings, note));
  await becomeTypist(settings.home, process.env);
  context.environment = plainEnvironment({ ...process.env, ...options.environment });
  await step('Ports', () => checkPorts(settings));
  const bus = await busPasswords(settings);
  const redis = await redisPasswords(settings, sources.redis, context.root);
  const servers = await step('PostgreSQL, Redis, NATS', () => startServers(context, sources, { bus, redis }));
  const databases = await step('Database', () => provisionDatabase(context, servers.postgres));
  const addresses = { servers, databases, bus, redis, callers: await callerKeys(settings) };
  if (context.root === root) await step('Build', (note) => build(note, context.environment));
  await step('Migrations', (note) => migrate(context, addresses, note));
  await step('Sign-in and mail', () => startCompanions(context));
  const accounts = await step('People', () => seed(context, addresses));
  await step('Services', () => startServices(context, addresses));
  const wanted = options.agent ?? true;
  const device = wanted
    ? await step('This machine', (note) => startAgent(context, addresses, accounts, options.link ?? 'gateway', note))
    : undefined;
  const urls = { hub: settings.hubUrl, mail: settings.mailUrl, idp: settings.idpUrl };
  const administrator = withDatabase(servers.postgres, 'warren').href;
  return {
    settings,
    urls,
    people,
    accounts,
    device,
    databases,
    administrator,
    ...replacing(context, addresses, sources),
  };
}

/**
 * Starts everything and waits until it is ready. Stops everything if a step fails.
 * @throws Error with the problem and the remedy in one line, or the end of the output of a failed process
 */
export async function startWarren(options: StartOptions = {}): Promise<Warren> {
  const settings = readSettings(options.environment ?? process.env);
  const progress = options.progress ?? (options.quiet ? silent : terminalProgress(process.stdout));
  const { logs, lock: lockFile } = places(settings.home);
  await mkdir(settings.home, { recursive: true });
  await prepareLogs(logs);
  const unlock = await lock(lockFile, settings.home);
  const processes = new Processes(progress.say);
  const stop = () => processes.stop().finally(unlock);
  try {
    const started = await steps(
      { settings, progress, environment: {}, root: options.root ?? root, processes },
      options,
    );
    return { ...started, stop, processes: () => processes.names(), process: (name) => processes.find(name) };
  } catch (error) {
    await stop();
    throw error;
  }
}
