import { DeliveryError } from '@warren/platform/outbound/delivery.error';
import { constants } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = 'audit.ndjson';
const FULL = /^audit-\d+\.ndjson$/;
const MIB = 1_048_576;
/** Bytes in which the last complete line ends: an event has 64 KiB at most. */
const TAIL = MIB;
const NEWLINE = 10;

/** Bytes of a file before the next one begins, and of all files of a stream. */
const FILE_LIMITS = { file: 64 * MIB, all: 1_024 * MIB };

const CAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full.',
  EDQUOT: 'The disk quota is used up.',
  EROFS: 'The disk is read-only.',
  EACCES: 'The hub has no permission to write there.',
  EPERM: 'The hub has no permission to write there.',
  ENOENT: 'The folder does not exist.',
  EIO: 'The disk has an error.',
};

/** Where a stream's lines are, below the folder. */
export const pathOfStream = (id: string): string => `${id}/${NAME}`;

/** Appends lines to files of streams, a folder for each. A full file gets a number, and the oldest of too many are removed. */
export class FileClient {
  /** @param folder undefined: there are no files */
  constructor(
    readonly folder: string | undefined,
    private readonly limits = FILE_LIMITS,
  ) {}

  /**
   * Appends lines, and returns when they are on the disk. What a killed process or a full disk left of a line is cut off before.
   * @throws DeliveryError
   */
  append(streamId: string, lines: readonly string[]): Promise<void> {
    return this.within(streamId, async (folder) => {
      const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      let file = await openedFile(folder);
      try {
        const size = await endOfLines(file);
        if (size > 0 && size + text.length > this.limits.file) {
          await file.close();
          await this.rotate(folder);
          file = await openedFile(folder);
          await appended(file, text, 0);
        } else {
          await appended(file, text, size);
        }
      } finally {
        await file.close();
      }
      await synced(folder);
    });
  }

  /** Tries whether files can be written, without a line. @throws DeliveryError */
  test(streamId: string): Promise<void> {
    return this.within(streamId, async (folder) => {
      const path = join(folder, '.test');
      const file = await open(path, 'w', 0o640);
      try {
        await file.writeFile('test\n');
        await file.sync();
      } finally {
        await file.close();
        await rm(path, { force: true });
      }
    });
  }

  /** The folder itself has to be there: it may be a volume that is not mounted. */
  private async within(streamId: string, work: (folder: string) => Promise<void>): Promise<void> {
    if (!this.folder) throw new DeliveryError('The hub has no folder for files: AUDIT_STREAM_FOLDER is not set.');
    const folder = join(this.folder, streamId);
    try {
      await mkdir(folder, { mode: 0o750 }).catch((error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error;
      });
      await work(folder);
    } catch (error) {
      const code = codeOf(error);
      if (error instanceof DeliveryError || !code) throw error;
      throw new DeliveryError(`The file could not be written. ${CAUSES[code] ?? code}`);
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

function openedFile(folder: string): Promise<FileHandle> {
  const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;
  // A link could lead out of the folder.
  return open(join(folder, NAME), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, 0o640);
}

/** Cuts off a line without an end. @returns the size */
async function endOfLines(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const from = Math.max(0, size - TAIL);
  const { buffer } = await file.read(Buffer.alloc(Math.min(1, size)), 0, Math.min(1, size), Math.max(0, size - 1));
  if (size === 0 || buffer[0] === NEWLINE) return size;
  const tail = await file.read(Buffer.alloc(size - from), 0, size - from, from);
  const end = from + tail.buffer.lastIndexOf(NEWLINE) + 1;
  await file.truncate(end);
  return end;
}

async function appended(file: FileHandle, text: Buffer, size: number): Promise<void> {
  try {
    await file.appendFile(text);
    await file.datasync();
  } catch (error) {
    // Frees what was written of it; else the next attempt does.
    await file.truncate(size).catch(() => {});
    throw error;
  }
}

/** Makes new and renamed files last (fsync(2)). */
async function synced(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code;
