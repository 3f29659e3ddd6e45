import 'reflect-metadata';
import { loadConfig } from '@warren/platform/config/load';
import { runService } from '@warren/platform/service/run';
import { appModule } from './app.module.ts';
import { tenancyConfig } from './config.ts';

await runService(() => appModule(loadConfig(tenancyConfig, process.env)));
