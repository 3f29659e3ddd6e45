import 'reflect-metadata';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Module, type Type } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import { freePort } from '@warren/infra/ports';
import type { Server } from '@warren/infra/server';
import { until } from '@warren/infra/until';
import { commonConfig } from '../src/config/common.ts';
import { defineService, runService } from '../src/service/run.ts';
import { ServiceModule } from '../src/service/service.module.ts';

let nats: Server;

beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats?.stop());

it('is ready once its public address is listened on, and no longer once it is asked to stop', async () => {
  const exit = jest.spyOn(process, 'exit').mockImplementation((() => {}) as never);
  const port = await freePort('127.0.0.1');
  const ready = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  const { promise: listened, resolve: listen } = Promise.withResolvers<undefined>();
  const service = defineService({
    name: 'slow',
    config: (environment) => commonConfig.parse(environment),
    module: (config): Type => {
      class SlowModule {}
      Module({ imports: [ServiceModule.forRoot({ name: 'slow', config })] })(SlowModule);
      return SlowModule;
    },
    listen: async (app) => {
      await app.init();
      await listened;
    },
  });
  const running = runService(service, {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    OPS_PORT: String(port),
    NATS_URL: nats.url,
  });
  await until(async () => (await ready()) === 503);
  await until(async () => {
    const report = (await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()) as { checks: object };
    return Object.values(report.checks).every((text) => text === 'ok');
  });
  expect(await ready()).toBe(503);
  listen(undefined);
  await running;
  expect(await ready()).toBe(200);
  process.emit('SIGTERM');
  await until(() => exit.mock.calls.length > 0);
  expect(exit).toHaveBeenCalledWith(0);
});
