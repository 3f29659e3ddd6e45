/** Writes the agent's reference in the handbook. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { reference } from './manual.ts';
import { workspace } from './places.ts';

const page = join(workspace, 'docs/agent-reference.md');
await writeFile(page, (await format(page, reference())).code);
