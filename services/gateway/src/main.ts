import 'reflect-metadata';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { loadConfig } from '@warren/platform/config/load';
import { runHttpService } from '@warren/platform/service/run';
import { appModule } from './app.module.ts';
import { gatewayConfig } from './config.ts';
import { gatewayProblems } from './config.problems.ts';
import { setUpHttp } from './http/set-up.ts';

await runHttpService<NestExpressApplication>(
  () => appModule(loadConfig(gatewayConfig, process.env, gatewayProblems)),
  async (app) => {
    const config = setUpHttp(app);
    await app.listen(config.PORT, config.HOST);
  },
);
