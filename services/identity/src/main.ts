import { runService } from '@warren/platform/service/run';
import { identity } from './service.ts';

await runService(identity, process.env);
