/** Writes the agent's reference in the handbook. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { reference } from './manual.ts';
import { workspace } from './places.ts';

const page = join(workspace, 'docs/agent-reference.md');
await writeFile(page, await format(reference(), { ...(await resolveConfig(page)), parser: 'markdown' }));
