import 'reflect-metadata';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { loadConfig } from '@warren/platform/config/load';
import { runHttpService } from '@warren/platform/service/run';
import { startTracing } from '@warren/platform/telemetry/tracing';
import { appModule } from './app.module.ts';
import { gatewayConfig } from './config.ts';
import { gatewayProblems } from './config.problems.ts';
import { setUpHttp } from './http/set-up.ts';

await runHttpService<NestExpressApplication>(
  async () => {
    const config = loadConfig(gatewayConfig, process.env, gatewayProblems);
    await startTracing('gateway', config);
    return appModule(config);
  },
  async (app) => {
    const config = setUpHttp(app);
    await app.listen(config.PORT, config.HOST);
  },
);
