import { readFile, rm, writeFile } from 'node:fs/promises';

/** Returns the process that holds the lock; undefined if none does or it has ended. */
export async function holder(file: string): Promise<number | undefined> {
  const pid = Number(await readFile(file, 'utf8').catch(() => ''));
  if (!pid) return undefined;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.includes('node') ? pid : undefined;
}

/** Acquires the lock of a home. @returns a function that releases it @throws Error if another start holds it */
export async function lock(file: string, home: string): Promise<() => Promise<void>> {
  const pid = await holder(file);
  if (pid && pid !== process.pid) {
    throw new Error(
      `Warren already runs from ${home} (process ${pid}): stop it there with Ctrl-C, or type 'make stop'.`,
    );
  }
  await writeFile(file, `${process.pid}\n`);
  return () => rm(file, { force: true });
}
