import { NestFactory } from '@nestjs/core';
import { flushCompileCache } from 'node:module';
import type { INestApplication, INestApplicationContext, Type } from '@nestjs/common';
import { Logger } from 'nestjs-pino';
import type { Server } from 'node:http';
import type { CommonConfig } from '../config/common.ts';
import { ConfigError } from '../config/load.ts';
import { OpsServer } from '../health/ops.server.ts';
import { quietStart } from '../telemetry/logger.ts';
import { startTracing, stopTracing } from '../telemetry/tracing.ts';
import { guarded } from './guarded.ts';
import { VERSION } from './service.module.ts';
import { runTogether, together } from '../process/together.ts';

/** After this long a stop that hangs is a stop all the same. */
const STOP_TIMEOUT_MS = 25_000;
/** Longer than proxies keep a connection idle, so that it is never ours to close just as they use it. */
const KEEP_ALIVE_MS = 65_000;

/** A service: how it reads its settings, what it is made of, how it listens. */
export interface Service<C extends CommonConfig = CommonConfig, A extends INestApplication = INestApplication> {
  name: string;
  /** @throws ConfigError */
  config: (environment: NodeJS.ProcessEnv) => C;
  module: (config: C) => Type;
  /** Sets its public HTTP address up and starts to listen there; a service without has none. */
  listen?: (app: A, config: C) => Promise<unknown>;
}

/** A service whose settings are read. */
interface Prepared {
  name: string;
  config: CommonConfig;
  start(): Promise<INestApplicationContext>;
}

/** A service, whatever its settings look like. */
export interface DefinedService {
  name: string;
  /** Reads its settings. @throws ConfigError */
  prepare(environment: NodeJS.ProcessEnv): Prepared;
}

/** Says what a service is, and keeps what its parts have in common from mattering to who runs it. */
export function defineService<C extends CommonConfig, A extends INestApplication>(
  service: Service<C, A>,
): DefinedService {
  return {
    name: service.name,
    prepare(environment: NodeJS.ProcessEnv): Prepared {
      const config = service.config(environment);
      return { name: service.name, config, start: () => start(service, config) };
    },
  };
}

/** Runs a service alone in this process, until a signal stops it. */
export function runService(service: DefinedService, environment: NodeJS.ProcessEnv): Promise<void> {
  return guarded(async () => runAll(service.name, [service.prepare(environment)]));
}

/**
 * Runs several services in this process, until a signal stops it.
 * @param name of the process, in logs, metrics and traces
 * @param environmentOf the environment of each
 */
export function runServices(
  name: string,
  services: readonly DefinedService[],
  environmentOf: (service: string) => NodeJS.ProcessEnv,
): Promise<void> {
  return guarded(async () => {
    runTogether(name);
    await runAll(
      name,
      services.map((service) => prepareNamed(service, environmentOf(service.name))),
    );
  });
}

/** @throws ConfigError that says of which service the settings are */
function prepareNamed(service: DefinedService, environment: NodeJS.ProcessEnv): Prepared {
  try {
    return service.prepare(environment);
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError(`${service.name}: ${error.message}`);
    throw error;
  }
}

async function runAll(name: string, services: readonly Prepared[]): Promise<void> {
  const [first] = services;
  if (first) await startTracing(name, VERSION, first.config);
  const running: INestApplicationContext[] = [];
  stopOnSignal(running);
  for (const service of services) {
    const app = await service.start();
    app.get(OpsServer).serve();
    running.push(app);
  }
  const shared = together();
  if (shared) shared.started = true;
  keepCompiled();
}

async function start<C extends CommonConfig, A extends INestApplication>(
  { module, listen }: Service<C, A>,
  config: C,
): Promise<INestApplicationContext> {
  const options = { bufferLogs: true, abortOnError: false };
  if (!listen) {
    const context = await NestFactory.createApplicationContext(module(config), options);
    context.useLogger(quietStart(context.get(Logger)));
    return context;
  }
  const app = await NestFactory.create<A>(module(config), { ...options, bodyParser: false });
  app.useLogger(quietStart(app.get(Logger)));
  (app.getHttpServer() as Server).keepAliveTimeout = KEEP_ALIVE_MS;
  await listen(app, config);
  return app;
}

/**
 * Where `NODE_COMPILE_CACHE` names a folder, Node writes there what it has compiled when a process ends in good order. The next start
 * after a bad end needs it most.
 */
function keepCompiled(): void {
  setImmediate(flushCompileCache);
}

/** The last that was started stops first: it may need the others until its end. */
function stopOnSignal(running: readonly INestApplicationContext[]): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    for (const app of running) {
      app.get(OpsServer).drain();
      endConnections(app);
    }
    for (const app of running.toReversed()) await app.close();
    await stopTracing();
    process.exit(0);
  };
  process.once('SIGTERM', () => void stop());
  process.once('SIGINT', () => void stop());
}

/** Ends each connection with its next answer: a client that asks again and again is never idle, and the server waits for it. */
function endConnections(app: INestApplicationContext): void {
  if ('getHttpServer' in app) ((app as INestApplication).getHttpServer() as Server).maxRequestsPerSocket = 1;
}
