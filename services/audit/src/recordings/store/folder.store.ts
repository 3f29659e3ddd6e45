import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, opendir, rename, rm, rmdir, statfs, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { MARKER, NAME, requireName, type Listed, type ObjectStore, type Space } from './object.store.ts';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const DIRECTORY = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
const PART = '.part-';
/** A file that a killed process has left unfinished. */
const PART_MS = 3_600_000;
/** Folders whose existence is remembered. */
const MOST_KNOWN = 1_000;

/** Keeps objects as files of a folder. */
export class FolderStore implements ObjectStore {
  readonly what: string;
  private readonly root: string;
  /** Folders that this process has made or checked. */
  private readonly known = new Set<string>();

  /** @param folder absolute, with or without a slash at its end */
  constructor(folder: string) {
    this.root = resolve(folder);
    this.what = `the folder ${this.root}`;
  }

  /** Creates the folder, but never the one above: that may be a volume that is not mounted. */
  prepare(): Promise<void> {
    return ignoring(['EEXIST'], mkdir(this.root, { mode: 0o700 }));
  }

  async put(name: string, content: Buffer, signal: AbortSignal): Promise<void> {
    const path = join(this.root, requireName(name));
    const folder = dirname(path);
    const part = join(folder, `${PART}${randomUUID()}`);
    try {
      const file = await this.create(part);
      try {
        await file.writeFile(content, { signal });
        await file.datasync();
      } finally {
        await file.close();
      }
      signal.throwIfAborted();
      await rename(part, path);
    } catch (error) {
      await rm(part, { force: true }).catch(() => {});
      throw error;
    }
    await synced(folder);
  }

  async get(name: string, limit: number, signal: AbortSignal): Promise<Buffer | undefined> {
    const path = join(this.root, requireName(name));
    try {
      const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      try {
        const { size } = await file.stat();
        if (size > limit) throw new RangeError('an object of a recording is larger than it was written');
        return await file.readFile({ signal });
      } finally {
        await file.close();
      }
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  async remove(names: readonly string[], signal: AbortSignal): Promise<void> {
    const folders = new Set<string>();
    for (const name of names) {
      signal.throwIfAborted();
      const path = join(this.root, requireName(name));
      await ignoring(['ENOENT'], unlink(path));
      if (name !== MARKER) folders.add(dirname(path));
    }
    for (const folder of folders) {
      await ignoring(['ENOTEMPTY', 'EEXIST', 'ENOENT'], rmdir(folder));
      await ignoring(['ENOTEMPTY', 'EEXIST', 'ENOENT'], rmdir(dirname(folder)));
    }
  }

  async *list(prefix: string, signal: AbortSignal): AsyncGenerator<Listed> {
    yield* this.below(prefix.replace(/\/$/, ''), 2 - prefix.split('/').filter(Boolean).length, signal);
  }

  async space(): Promise<Space> {
    const { bavail, blocks, bsize } = await statfs(this.root);
    return { free: bavail * bsize, total: blocks * bsize };
  }

  /** @param depth levels of folders above the files */
  private async *below(folder: string, depth: number, signal: AbortSignal): AsyncGenerator<Listed> {
    for await (const name of namesIn(join(this.root, folder))) {
      signal.throwIfAborted();
      const path = folder === '' ? name : `${folder}/${name}`;
      const found = await lstat(join(this.root, path)).catch(() => undefined);
      if (!found) continue;
      if (found.isDirectory() && depth > 0) yield* this.below(path, depth - 1, signal);
      else if (found.isFile() && NAME.test(path)) yield { name: path, writtenAt: found.mtimeMs };
      else if (found.isFile() && name.startsWith(PART) && found.mtimeMs < Date.now() - PART_MS)
        await rm(join(this.root, path), { force: true });
    }
  }

  /** Creates a file, with its folders where they are missing. */
  private async create(path: string): Promise<FileHandle> {
    const folder = dirname(path);
    const opened = () => open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    if (this.known.has(folder)) {
      try {
        return await opened();
      } catch (error) {
        // Another process has removed the empty folder.
        if (codeOf(error) !== 'ENOENT') throw error;
      }
    }
    await this.makeFolder(folder);
    if (this.known.size >= MOST_KNOWN) this.known.clear();
    this.known.add(folder);
    return opened();
  }

  /** Creates the folders of an object, but never the root: without it, its volume may not be mounted. */
  private async makeFolder(folder: string): Promise<void> {
    if (folder === this.root) return;
    const parent = dirname(folder);
    await this.makeFolder(parent);
    try {
      await mkdir(folder, { mode: 0o700 });
      await synced(parent);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      if (!(await lstat(folder)).isDirectory()) throw Object.assign(new Error('no folder'), { code: 'ENOTDIR' });
    }
  }
}

async function* namesIn(folder: string): AsyncGenerator<string> {
  let names;
  try {
    names = await opendir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  for await (const { name } of names) yield name;
}

/** Makes new and renamed files last (fsync(2)). */
async function synced(folder: string): Promise<void> {
  const handle = await open(folder, DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function ignoring(codes: readonly string[], work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!codes.includes(codeOf(error) ?? '')) throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  // Errors of the file system may come from another realm.
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}
