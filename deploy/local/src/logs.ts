import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

const largest = 16 * 1024 * 1024;

/** Creates the folder of logs, and rotates a large log to `.old`. */
export async function prepareLogs(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    if (name.endsWith('.log') && (await stat(file)).size > largest) await rename(file, `${file}.old`);
  }
}
