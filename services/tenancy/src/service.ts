import 'reflect-metadata';
import { loadConfig } from '@warren/platform/config/load';
import { defineService } from '@warren/platform/service/run';
import { appModule } from './app.module.ts';
import { tenancyConfig } from './config.ts';

export const tenancy = defineService({
  name: 'tenancy',
  config: (environment) => loadConfig(tenancyConfig, environment),
  module: appModule,
});
