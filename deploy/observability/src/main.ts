import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { artefacts, FILES } from './artefacts.ts';

/** `RUNBOOKS=https://… node main.ts`: alerts then link to runbooks there. */
const { RUNBOOKS } = process.env;
if (RUNBOOKS && !/^https?:\/\/\S+[^/]$/.test(RUNBOOKS))
  throw new Error(`RUNBOOKS: expected an http(s) address without a slash at its end (came: ${RUNBOOKS})`);

for (const [path, text] of Object.entries(artefacts(RUNBOOKS || undefined))) {
  const file = join(FILES, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
