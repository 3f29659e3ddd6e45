import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileClient } from './file.client.ts';

const ID = '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f';
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'warren-files-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const read = (name = 'audit.ndjson') => readFile(join(folder, ID, name), 'utf8');

it('appends lines to a file that others may not read', async () => {
  const files = new FileClient(folder);
  await files.append(ID, ['{"n":1}', '{"n":2}']);
  await files.append(ID, ['{"n":3}']);
  await expect(read()).resolves.toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
  expect((await stat(join(folder, ID, 'audit.ndjson'))).mode & 0o007).toBe(0);
});

it('cuts off what a killed process left of a line', async () => {
  const files = new FileClient(folder);
  await files.append(ID, ['{"n":1}']);
  await appendFile(join(folder, ID, 'audit.ndjson'), '{"n":2,"text":"Grü');
  await files.append(ID, ['{"n":2}']);
  await expect(read()).resolves.toBe('{"n":1}\n{"n":2}\n');
  await writeFile(join(folder, ID, 'audit.ndjson'), '{"n":');
  await files.append(ID, ['{"n":3}']);
  await expect(read()).resolves.toBe('{"n":3}\n');
});

it('begins another file when one is full, and removes the oldest beyond the limit of all', async () => {
  const files = new FileClient(folder, { file: 20, all: 60 });
  for (let n = 1; n <= 6; n++) await files.append(ID, [`{"number":${n}}`]);
  expect((await readdir(join(folder, ID))).sort()).toEqual([
    'audit-00000003.ndjson',
    'audit-00000004.ndjson',
    'audit-00000005.ndjson',
    'audit.ndjson',
  ]);
  await expect(read('audit-00000005.ndjson')).resolves.toBe('{"number":5}\n');
  await expect(read()).resolves.toBe('{"number":6}\n');
  // A batch larger than a file is one file.
  await files.append(ID, ['x'.repeat(100)]);
  await expect(read()).resolves.toHaveLength(101);
});

it('follows no link, and says why nothing can be written', async () => {
  const files = new FileClient(folder);
  const outside = join(folder, 'outside');
  await writeFile(outside, 'as it was');
  await mkdir(join(folder, ID));
  await symlink(outside, join(folder, ID, 'audit.ndjson'));
  await expect(files.append(ID, ['x'])).rejects.toThrow('The file could not be written. ELOOP');
  await expect(readFile(outside, 'utf8')).resolves.toBe('as it was');
  await rm(folder, { recursive: true });
  await expect(files.append(ID, ['x'])).rejects.toThrow('The file could not be written. The folder does not exist.');
  await expect(files.test(ID)).rejects.toThrow('The folder does not exist.');
  await expect(new FileClient(undefined).append(ID, ['x'])).rejects.toThrow('AUDIT_STREAM_FOLDER is not set');
});

it('tries the folder without a trace', async () => {
  await new FileClient(folder).test(ID);
  await expect(readdir(join(folder, ID))).resolves.toEqual([]);
});
