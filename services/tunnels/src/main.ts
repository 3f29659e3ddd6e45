import 'reflect-metadata';
import { loadConfig } from '@warren/platform/config/load';
import { runHttpService } from '@warren/platform/service/run';
import { appModule } from './app.module.ts';
import { TUNNELS_CONFIG, tunnelsConfig, type TunnelsConfig } from './config.ts';

await runHttpService(
  () => appModule(loadConfig(tunnelsConfig, process.env)),
  async (app) => {
    const { HOST, PORT } = app.get<TunnelsConfig>(TUNNELS_CONFIG);
    await app.listen(PORT, HOST);
  },
);
