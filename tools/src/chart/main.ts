import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { withTable } from './readme.ts';
import { schemaOf } from './schema.ts';
import { readValues } from './values.ts';

/** `node main.ts`: makes the chart's values.schema.json and the table in its README.md from the comments in values.yaml. */
const chart = resolve(import.meta.dirname, '../../../helm/warren');
const values = readValues(await readFile(`${chart}/values.yaml`, 'utf8'));
await writeFile(`${chart}/values.schema.json`, schemaOf(values));
const readme = await readFile(`${chart}/README.md`, 'utf8');
await writeFile(`${chart}/README.md`, withTable(readme, values));
