import 'reflect-metadata';
import { loadConfig } from '@warren/platform/config/load';
import { runService } from '@warren/platform/service/run';
import { startTracing } from '@warren/platform/telemetry/tracing';
import { appModule } from './app.module.ts';
import { devicesConfig } from './config.ts';

await runService(async () => {
  const config = loadConfig(devicesConfig, process.env);
  await startTracing('devices', config);
  return appModule(config);
});
