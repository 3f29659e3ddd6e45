import 'reflect-metadata';
import { loadConfig } from '@warren/platform/config/load';
import { defineService } from '@warren/platform/service/run';
import { appModule } from './app.module.ts';
import { auditConfig } from './config.ts';

export const audit = defineService({
  name: 'audit',
  config: (environment) => loadConfig(auditConfig, environment),
  module: appModule,
});
