import { NestFactory } from '@nestjs/core';
import { flushCompileCache } from 'node:module';
import type { INestApplication, INestApplicationContext, Type } from '@nestjs/common';
import { Logger } from 'nestjs-pino';
import type { Server } from 'node:http';
import { quietStart } from '../telemetry/logger.ts';
import { stopTracing } from '../telemetry/tracing.ts';
import { OpsServer } from '../health/ops.server.ts';
import { guarded } from './guarded.ts';

/** After this long a stop that hangs is a stop all the same. */
const STOP_TIMEOUT_MS = 25_000;
/** Longer than proxies keep a connection idle, so that it is never ours to close just as they use it. */
const KEEP_ALIVE_MS = 65_000;

/** Runs a process without a public address until it is told to stop. */
export async function runService(module: () => Promise<Type>): Promise<INestApplicationContext> {
  return guarded(async () => {
    const app = await NestFactory.createApplicationContext(await module(), { bufferLogs: true, abortOnError: false });
    app.useLogger(quietStart(app.get(Logger)));
    stopOnSignal(app);
    keepCompiled();
    return app;
  });
}

/** Runs a process with a public HTTP address; `listen` sets it up and starts to listen. */
export async function runHttpService<A extends INestApplication>(
  module: () => Promise<Type>,
  listen: (app: A) => Promise<void>,
): Promise<A> {
  return guarded(async () => {
    const app = await NestFactory.create<A>(await module(), {
      bufferLogs: true,
      abortOnError: false,
      bodyParser: false,
    });
    app.useLogger(quietStart(app.get(Logger)));
    stopOnSignal(app);
    (app.getHttpServer() as Server).keepAliveTimeout = KEEP_ALIVE_MS;
    await listen(app);
    keepCompiled();
    return app;
  });
}

/**
 * Where `NODE_COMPILE_CACHE` names a folder, Node writes there what it has compiled when a process ends in good order. The next start
 * after a bad end needs it most.
 */
function keepCompiled(): void {
  setImmediate(flushCompileCache);
}

function stopOnSignal(app: INestApplicationContext): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    app.get(OpsServer).drain();
    await app.close();
    await stopTracing();
    process.exit(0);
  };
  process.once('SIGTERM', () => void stop());
  process.once('SIGINT', () => void stop());
}
