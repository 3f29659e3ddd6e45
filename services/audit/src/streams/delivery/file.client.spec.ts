import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { constants } from 'node:fs';
import {
  appendFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
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
  const files = new FileClient(folder, { limits: { file: 20, all: 60 } });
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
  await expect(files.append(ID, ['x'])).rejects.toThrow('The file could not be written. A link is in place');
  await symlink(outside, join(folder, ID, '.test'));
  await expect(files.test(ID)).rejects.toThrow('A link is in place of the file or its folder.');
  await expect(readFile(outside, 'utf8')).resolves.toBe('as it was');
  await rename(join(folder, ID), join(folder, 'elsewhere'));
  await rm(join(folder, 'elsewhere', 'audit.ndjson'));
  await symlink(join(folder, 'elsewhere'), join(folder, ID));
  await expect(files.append(ID, ['x'])).rejects.toThrow('A link is in place of the file or its folder.');
  await expect(readdir(join(folder, 'elsewhere'))).resolves.toEqual(['.test']);
  await rm(folder, { recursive: true });
  await expect(files.append(ID, ['x'])).rejects.toThrow('The file could not be written. The folder does not exist.');
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
  await expect(files.test(ID)).rejects.toThrow('The folder does not exist.');
  await expect(new FileClient(undefined).append(ID, ['x'])).rejects.toThrow('AUDIT_STREAM_FOLDER is not set');
});

it('tries the folder without a trace', async () => {
  await new FileClient(folder).test(ID);
  await expect(readdir(join(folder, ID))).resolves.toEqual([]);
});

it('reports a disk that does not answer, and does not try it again until it does', async () => {
  const answers = Promise.withResolvers<null>();
  let opened = 0;
  const files = new FileClient(folder, {
    deadlineMs: 20,
    open: async (...path) => {
      opened++;
      await answers.promise;
      return open(...path);
    },
  });
  await expect(files.append(ID, ['x'])).rejects.toThrow('The disk does not answer.');
  await expect(files.append(ID, ['x'])).rejects.toThrow('The disk does not answer.');
  await expect(files.test(ID)).rejects.toThrow('The disk does not answer.');
  await until(() => opened > 0);
  expect(opened).toBe(1);
  answers.resolve(null);
  await until(() =>
    files.append(ID, ['y']).then(
      () => true,
      () => false,
    ),
  );
  // An attempt that was late on this disk too may have written its line.
  await expect(read()).resolves.toMatch(/^x\n(y\n)+$/);
});

it('cuts off nothing that another process has appended', async () => {
  const path = join(folder, ID, 'audit.ndjson');
  const opening = (work: (file: FileHandle) => void) => ({
    open: async (...way: [path: string, flags: number, mode?: number]) => {
      const file = await open(...way);
      if (way[0] === path) work(file);
      return file;
    },
  });
  await new FileClient(folder).append(ID, ['{"n":1}']);
  // Fails after the other process has appended.
  const failing = opening((file) => {
    file.datasync = async () => {
      await appendFile(path, '{"n":3}\n');
      throw Object.assign(new Error(), { code: 'EIO' });
    };
  });
  const failed = new FileClient(folder, failing).append(ID, ['{"n":2}']);
  await expect(failed).rejects.toThrow('The disk has an error.');
  await expect(read()).resolves.toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
  // The other process finishes its line while this one looks for the end.
  await appendFile(path, '{"n":');
  const late = opening((file) => {
    const readFrom = file.read.bind(file) as (...all: unknown[]) => Promise<unknown>;
    file.read = (async (...all: unknown[]) => {
      const found = await readFrom(...all);
      if ((all[0] as Buffer).length > 1) await appendFile(path, '4}\n');
      return found;
    }) as never;
  });
  const stale = new FileClient(folder, late).append(ID, ['{"n":5}']);
  await expect(stale).rejects.toThrow('Another process of the hub writes to the file.');
  await expect(read()).resolves.toBe('{"n":1}\n{"n":2}\n{"n":3}\n{"n":4}\n');
});

it('syncs the new folder of a stream, and the one above', async () => {
  const synced: string[] = [];
  const files = new FileClient(folder, {
    open: async (path, flags, mode) => {
      const file = await open(path, flags, mode);
      if (flags & constants.O_DIRECTORY) {
        const sync = file.sync.bind(file);
        file.sync = () => sync().then(() => void synced.push(path));
      }
      return file;
    },
  });
  await files.append(ID, ['x']);
  expect(synced).toEqual([folder, join(folder, ID)]);
});
