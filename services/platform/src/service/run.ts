import { NestFactory } from '@nestjs/core';
import type { INestApplication, INestApplicationContext, Type } from '@nestjs/common';
import { Logger } from 'nestjs-pino';
import { stopTracing } from '../telemetry/tracing.ts';
import { OpsServer } from '../health/ops.server.ts';
import { ConfigError, EXIT_CONFIG } from '../config/load.ts';

/** After this long a stop that hangs is a stop all the same. */
const STOP_TIMEOUT_MS = 25_000;

/** Runs a process without a public address until it is told to stop. */
export async function runService(module: () => Promise<Type>): Promise<INestApplicationContext> {
  return guarded(async () => {
    const app = await NestFactory.createApplicationContext(await module(), { bufferLogs: true, abortOnError: false });
    app.useLogger(app.get(Logger));
    stopOnSignal(app);
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
    app.useLogger(app.get(Logger));
    stopOnSignal(app);
    await listen(app);
    return app;
  });
}

/** A start that fails says why in one place and exits 1; a bad configuration without a stack, and with 78. */
async function guarded<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const unusable = error instanceof ConfigError;
    process.stderr.write(`${unusable ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(unusable ? EXIT_CONFIG : 1);
  }
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
