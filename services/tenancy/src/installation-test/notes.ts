import { access, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const LOOK_EVERY_MS = 200;

/** Communicates with the test through files in a shared folder. */
export class Notes {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Writes a note atomically. */
  async leave(name: string, content: object): Promise<void> {
    const path = join(this.folder, name);
    await writeFile(`${path}.new`, JSON.stringify(content));
    await rename(`${path}.new`, path);
  }

  isThere(name: string): Promise<boolean> {
    return access(join(this.folder, name)).then(
      () => true,
      () => false,
    );
  }

  /** Resolves when the note appears, or when `signal` aborts. */
  async appears(name: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !(await this.isThere(name)))
      await wait(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}
