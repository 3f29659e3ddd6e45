import { runService } from '@warren/platform/service/run';
import { fleet } from './service.ts';

await runService(fleet, process.env);
