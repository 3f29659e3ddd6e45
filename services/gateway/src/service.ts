import 'reflect-metadata';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { loadConfig } from '@warren/platform/config/load';
import { defineService } from '@warren/platform/service/run';
import { appModule } from './app.module.ts';
import { gatewayConfig } from './config.ts';
import { gatewayProblems } from './config.problems.ts';
import { setUpHttp } from './set-up.ts';

export const gateway = defineService({
  name: 'gateway',
  config: (environment) => loadConfig(gatewayConfig, environment, gatewayProblems),
  module: appModule,
  listen: async (app: NestExpressApplication, { HOST, PORT }) => {
    setUpHttp(app);
    await app.listen(PORT, HOST);
  },
});
