import { runService } from '@warren/platform/service/run';
import { tunnels } from './service.ts';

await runService(tunnels, process.env);
