import 'reflect-metadata';
import { loadConfig } from '@warren/platform/config/load';
import { defineService } from '@warren/platform/service/run';
import { appModule } from './app.module.ts';
import { identityConfig } from './config.ts';

export const identity = defineService({
  name: 'identity',
  config: (environment) => loadConfig(identityConfig, environment),
  module: appModule,
});
