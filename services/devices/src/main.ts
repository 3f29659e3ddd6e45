import { runService } from '@warren/platform/service/run';
import { devices } from './service.ts';

await runService(devices, process.env);
