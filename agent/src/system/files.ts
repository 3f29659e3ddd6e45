import { constants, readFileSync } from 'node:fs';
import { open, mkdir, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, basename, join } from 'node:path';

/** Bytes: more than enrolment writes. */
const ROOM = 4096;

/** The owner of a file. */
export interface FileOwner {
  uid: number;
  gid: number;
}

/**
 * Writes a file atomically: after a crash or power cut, either the old or the new one exists, whole. If root writes it, the file
 * belongs to the owner of its folder, who reads it later.
 * @param mode readable by its owner only, unless given; independent of the umask
 * @param owner instead of that of the folder
 */
export async function writeAtomically(path: string, text: string, mode = 0o600, owner?: FileOwner): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `.${basename(path)}.${process.pid}.tmp`);
  try {
    const file = await openFresh(temporary, owner ? 0o600 : mode);
    try {
      if (owner) await file.chown(owner.uid, owner.gid);
      else await giveToOwnerOf(folder, file);
      await file.chmod(mode);
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    // The name that people know; a failed write names none.
    throw Object.assign(error as NodeJS.ErrnoException, { path });
  }
  await syncFolder(folder);
}

/**
 * Creates a file in place of what an interrupted write left. Follows no link: in a folder of another user, root would overwrite and give
 * away the target.
 */
async function openFresh(path: string, mode: number): Promise<FileHandle> {
  await rm(path, { recursive: true, force: true });
  return open(path, 'wx', mode);
}

/**
 * Checks that a short file can be written to a folder, before something that can't be undone depends on it.
 * @throws the file system's error
 */
export async function checkRoom(folder: string): Promise<void> {
  const path = join(folder, '.room');
  await writeAtomically(path, ' '.repeat(ROOM));
  await rm(path);
}

async function giveToOwnerOf(folder: string, file: FileHandle): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  if (uid !== 0) await file.chown(uid, gid);
}

/** Gives a file another name in its folder, in whose place the old file is gone then, so that a power cut does not undo it. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
}

async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, 'r');
  await directory.sync().finally(() => directory.close());
}

/** The text of a file, or '' when this device does not have it or does not show it to the agent's user. */
export async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

/** Reads standard input, typed or piped, without the line break. */
export function readInput(): string {
  return readFileSync(0, 'utf8').trim();
}

/** Reads a text file; undefined if it does not exist. Throws other errors. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Makes a folder that only its owner can enter. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

const SMALL_MAX = 64 * 1024;

/**
 * The text of a short file in a folder that others may write to: follows no link at its end, and waits for no pipe.
 * @throws Error when it is no file, or longer than 64 KiB
 */
export async function readSmall(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = await file
      .stat()
      .then((stat) => (stat.isFile() ? stat : Promise.reject(new Error(`${path} is no file`))));
    if (size > SMALL_MAX) throw new Error(`${path} is longer than ${SMALL_MAX} bytes`);
    const buffer = Buffer.alloc(size);
    const { bytesRead } = await file.read(buffer, 0, size, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
