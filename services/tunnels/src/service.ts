import 'reflect-metadata';
import { loadConfig } from '@warren/platform/config/load';
import { defineService } from '@warren/platform/service/run';
import { appModule } from './app.module.ts';
import { tunnelsConfig } from './config.ts';

export const tunnels = defineService({
  name: 'tunnels',
  config: (environment) => loadConfig(tunnelsConfig, environment),
  module: appModule,
  listen: (app, { HOST, PORT }) => app.listen(PORT, HOST),
});
