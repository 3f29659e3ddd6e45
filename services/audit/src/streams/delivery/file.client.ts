import { DeliveryError } from '@warren/platform/outbound/delivery.error';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = 'audit.ndjson';
const FULL = /^audit-\d+\.ndjson$/;
const MIB = 1_048_576;
/** Bytes in which the last complete line ends: an event has 64 KiB at most. */
const TAIL = MIB;
const NEWLINE = 10;

/** Bytes of a file before the next one begins, and of all files of a stream. */
const FILE_LIMITS = { file: 64 * MIB, all: 1_024 * MIB };
/** A turn holds a slot of the streamer for as long as an attempt takes. */
const DEADLINE_MS = 10_000;
const SILENT = 'The disk does not answer.';
const { O_APPEND, O_CREAT, O_DIRECTORY, O_NOFOLLOW, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY } = constants;

const CAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full.',
  EDQUOT: 'The disk quota is used up.',
  EROFS: 'The disk is read-only.',
  EACCES: 'The hub has no permission to write there.',
  EPERM: 'The hub has no permission to write there.',
  ENOENT: 'The folder does not exist.',
  EIO: 'The disk has an error.',
  ELOOP: 'A link is in place of the file or its folder.',
};

interface FileOptions {
  limits?: typeof FILE_LIMITS;
  /** Milliseconds for one attempt. */
  deadlineMs?: number;
  /** open(2), for disks that fail. */
  open?: (path: string, flags: number, mode?: number) => Promise<FileHandle>;
}

/** Returns where a stream's lines are, below the folder. */
export const pathOfStream = (id: string): string => `${id}/${NAME}`;

/** Appends lines to files of streams, a folder for each. A full file gets a number, and the oldest of too many are removed. */
export class FileClient {
  private readonly limits: typeof FILE_LIMITS;
  private readonly deadlineMs: number;
  private readonly open: NonNullable<FileOptions['open']>;
  /** Streams with an attempt that has not ended by its deadline. */
  private readonly overdue = new Set<string>();

  /** @param folder undefined: there are no files */
  constructor(
    readonly folder: string | undefined,
    { limits = FILE_LIMITS, deadlineMs = DEADLINE_MS, open: opener = open }: FileOptions = {},
  ) {
    this.limits = limits;
    this.deadlineMs = deadlineMs;
    this.open = opener;
  }

  /**
   * Appends lines, and returns when they are on the disk. Before that it cuts off the unfinished line that a killed process or a full disk
   * left. Lines of an attempt that fails may be in the file; the next attempt writes them again.
   * @throws DeliveryError, also if the disk does not answer in time; until it does, further attempts fail at once
   */
  append(streamId: string, lines: readonly string[]): Promise<void> {
    return this.within(streamId, async (folder) => {
      const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      let file = await this.opened(folder);
      try {
        const size = await endOfLines(file);
        if (size > 0 && size + text.length > this.limits.file) {
          await file.close();
          await this.rotate(folder);
          file = await this.opened(folder);
        }
        // What a failure leaves of it stays: another process may have appended after it.
        await file.appendFile(text);
        await file.datasync();
      } finally {
        await file.close();
      }
      await this.synced(folder);
    });
  }

  /** Tests whether files can be written, without a line. @throws DeliveryError as {@link append} */
  test(streamId: string): Promise<void> {
    return this.within(streamId, async (folder) => {
      const path = join(folder, '.test');
      const file = await this.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o640);
      try {
        await file.writeFile('test\n');
        await file.sync();
      } finally {
        await file.close();
        await rm(path, { force: true });
      }
    });
  }

  private async within(streamId: string, work: (folder: string) => Promise<void>): Promise<void> {
    if (!this.folder) throw new DeliveryError('The hub has no folder for files: AUDIT_STREAM_FOLDER is not set.');
    if (this.overdue.has(streamId)) throw new DeliveryError(SILENT);
    try {
      await this.inTime(streamId, this.folderOf(this.folder, streamId).then(work));
    } catch (error) {
      const code = codeOf(error);
      if (error instanceof DeliveryError || !code) throw error;
      throw new DeliveryError(`The file could not be written. ${CAUSES[code] ?? code}`);
    }
  }

  /** Nothing ends a call to a disk that hangs, so the work stays pending past its deadline. */
  private async inTime(streamId: string, work: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.overdue.add(streamId);
        void work.catch(() => {}).finally(() => this.overdue.delete(streamId));
        reject(new DeliveryError(SILENT));
      }, this.deadlineMs);
    });
    try {
      await Promise.race([work, deadline]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Creates the folder of a stream, but never the one above: that may be a volume that is not mounted. */
  private async folderOf(parent: string, streamId: string): Promise<string> {
    const folder = join(parent, streamId);
    try {
      await mkdir(folder, { mode: 0o750 });
      await this.synced(parent);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      if ((await lstat(folder)).isSymbolicLink()) throw Object.assign(new Error(), { code: 'ELOOP' });
    }
    return folder;
  }

  private opened(folder: string): Promise<FileHandle> {
    // A link could lead out of the folder.
    return this.open(join(folder, NAME), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, 0o640);
  }

  /** Makes new and renamed files last (fsync(2)). */
  private async synced(folder: string): Promise<void> {
    const handle = await this.open(folder, O_RDONLY | O_DIRECTORY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  private async rotate(folder: string): Promise<void> {
    const full = (await readdir(folder)).filter((name) => FULL.test(name)).sort();
    const last = Number(/\d+/.exec(full.at(-1) ?? '')?.[0] ?? 0);
    const name = `audit-${String(last + 1).padStart(8, '0')}.ndjson`;
    await rename(join(folder, NAME), join(folder, name));
    // Room for the file that begins now.
    let kept = this.limits.file;
    for (const one of [...full, name].toReversed()) {
      kept += (await stat(join(folder, one))).size;
      if (kept > this.limits.all) await rm(join(folder, one), { force: true });
    }
  }
}

/** Cuts off a line without an end. @returns the size. @throws DeliveryError if another process writes meanwhile */
async function endOfLines(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const from = Math.max(0, size - TAIL);
  const { buffer } = await file.read(Buffer.alloc(Math.min(1, size)), 0, Math.min(1, size), Math.max(0, size - 1));
  if (size === 0 || buffer[0] === NEWLINE) return size;
  const tail = await file.read(Buffer.alloc(size - from), 0, size - from, from);
  const end = from + tail.buffer.lastIndexOf(NEWLINE) + 1;
  if ((await file.stat()).size !== size) throw new DeliveryError('Another process of the hub writes to the file.');
  await file.truncate(end);
  return end;
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code;
