import 'reflect-metadata';
import { loadConfig } from '@warren/platform/config/load';
import { defineService } from '@warren/platform/service/run';
import { appModule } from './app.module.ts';
import { fleetConfig } from './config.ts';
import { remoteWriteProblems } from './remote-write/remote-write.config.ts';

export const fleet = defineService({
  name: 'fleet',
  config: (environment) => loadConfig(fleetConfig, environment, remoteWriteProblems),
  module: appModule,
});
