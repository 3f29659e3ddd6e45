import 'reflect-metadata';
import { loadConfig } from '@warren/platform/config/load';
import { defineService } from '@warren/platform/service/run';
import { appModule } from './app.module.ts';
import { devicesConfig } from './config.ts';

export const devices = defineService({
  name: 'devices',
  config: (environment) => loadConfig(devicesConfig, environment),
  module: appModule,
});
