import 'reflect-metadata';
import { Module, type INestApplicationContext, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { commonConfig } from '../src/config/common.ts';
import type { Outbox } from '../src/events/outbox.ts';
import { ServiceModule } from '../src/service/service.module.ts';

/** A process as the services make them, in this one: `prepare` runs before its subjects open. */
export async function startProcess(
  name: string,
  natsUrl: string,
  prepare: (app: INestApplicationContext) => void = () => {},
  extra: {
    imports?: unknown[];
    outbox?: Type<Outbox>;
    /** Further variables of the environment. */
    environment?: Record<string, string>;
  } = {},
): Promise<INestApplicationContext> {
  const config = commonConfig.parse({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    OPS_PORT: 0,
    NATS_URL: natsUrl,
    ...extra.environment,
  });
  class ProcessModule {}
  Module({
    imports: [
      ...((extra.imports ?? []) as Type[]),
      ServiceModule.forRoot({ name, config, ...(extra.outbox && { outbox: extra.outbox }) }),
    ],
  })(ProcessModule);
  const app = await NestFactory.create(ProcessModule, { logger: false, abortOnError: false });
  prepare(app);
  await app.init();
  return app;
}
