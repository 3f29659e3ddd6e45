import { runService } from '@warren/platform/service/run';
import { audit } from './service.ts';

await runService(audit, process.env);
