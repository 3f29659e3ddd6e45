import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { previewApi } from './api.preview.ts';

const file = resolve(import.meta.dirname, '../dist/openapi.json');
await writeFile(file, `${JSON.stringify(await previewApi(), undefined, 2)}\n`);
process.stdout.write(`${file}\n`);
