import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { artefacts, FILES } from './artefacts.ts';

for (const [path, text] of Object.entries(artefacts())) {
  const file = join(FILES, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
