/** `warren-audit verify` beside all services in one process: its settings are those of audit there. */
import { environmentOf } from './environment.ts';

process.env = environmentOf('audit', process.env);
await import('@warren/audit/verify');
