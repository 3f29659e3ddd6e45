import 'reflect-metadata';
import { loadConfig } from '@warren/platform/config/load';
import { runHttpService } from '@warren/platform/service/run';
import { startTracing } from '@warren/platform/telemetry/tracing';
import { appModule } from './app.module.ts';
import { TUNNELS_CONFIG, tunnelsConfig, type TunnelsConfig } from './config.ts';

await runHttpService(
  async () => {
    const config = loadConfig(tunnelsConfig, process.env);
    await startTracing('tunnels', config);
    return appModule(config);
  },
  async (app) => {
    const { HOST, PORT } = app.get<TunnelsConfig>(TUNNELS_CONFIG);
    await app.listen(PORT, HOST);
  },
);
