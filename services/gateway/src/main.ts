import { runService } from '@warren/platform/service/run';
import { gateway } from './service.ts';

await runService(gateway, process.env);
