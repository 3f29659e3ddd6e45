import { runService } from '@warren/platform/service/run';
import { tenancy } from './service.ts';

await runService(tenancy, process.env);
