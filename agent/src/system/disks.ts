import { statfs } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { readText } from './files.ts';

/** A place where a disk is mounted. */
export interface Mount {
  path: string;
  writable: boolean;
}

/** A mounted file system, in bytes. */
export interface DiskSize {
  mount: string;
  used: bigint;
  total: bigint;
  writable: boolean;
}

/** File systems on disks; others are in memory, images, or views of these. */
const ON_DISK =
  /^(ext[234]|xfs|btrfs|f2fs|vfat|exfat|ntfs3?|fuseblk|zfs|jfs|reiserfs|bcachefs|hfsplus|ubifs|jffs2|nilfs2|overlay)$/;
const MOST_DISKS = 16;

/** Lists mount points, one per disk, from /proc/self/mounts (proc_pid_mounts(5)). */
export function parseMounts(text: string): Mount[] {
  const seen = new Set<string>();
  const mounts = text.split('\n').flatMap((line) => {
    const [device = '', mount = '', kind = '', options = ''] = line.split(' ');
    // The root of a container is an overlay.
    const isDisk = ON_DISK.test(kind) && (kind !== 'overlay' || mount === '/');
    if (!isDisk || seen.has(device) || /^\/(snap|var\/lib\/docker|run\/(?!media\/))/.test(mount)) return [];
    seen.add(device);
    const path = mount.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
    return [{ path, writable: !options.split(',').includes('ro') }];
  });
  return mounts.slice(0, MOST_DISKS);
}

/** Total and used bytes of the file system at `path`. */
export async function readDisk(path: string): Promise<{ total: number; used: number }> {
  const { bsize, blocks, bfree } = await statfs(path);
  return { total: blocks * bsize, used: (blocks - bfree) * bsize };
}

const PATIENCE_MS = 5_000;

/**
 * Reads the sizes of mounted disks. Leaves out a disk that does not answer, such as a network disk without its server, and does not read
 * it again until it has answered: each pending read blocks one of the few threads for files and DNS.
 */
export class DiskReader {
  /** Reads that have not answered. */
  private readonly pending = new Map<string, Promise<DiskSize | undefined>>();
  private readonly readDisk: typeof readDisk;
  private readonly patienceMs: number;

  constructor(read = readDisk, patienceMs = PATIENCE_MS) {
    this.readDisk = read;
    this.patienceMs = patienceMs;
  }

  async read(mounts?: readonly Mount[]): Promise<DiskSize[]> {
    const all = mounts ?? parseMounts(await readText('/proc/self/mounts'));
    const sizes = await Promise.all(all.map((mount) => this.pending.get(mount.path) ?? this.sizeOf(mount)));
    return sizes.filter((size) => size !== undefined);
  }

  private sizeOf({ path: mount, writable }: Mount): Promise<DiskSize | undefined> {
    const reading = this.readDisk(mount)
      .catch(() => undefined)
      .finally(() => this.pending.delete(mount));
    const size = Promise.race([reading, wait(this.patienceMs, undefined, { ref: false })]).then((read) =>
      read && read.total > 0 ? { mount, writable, used: BigInt(read.used), total: BigInt(read.total) } : undefined,
    );
    this.pending.set(mount, size);
    return size;
  }
}

/** The disk with the largest share in use, in percent, among those that can be written; the first of equal ones. */
export function fullestOf(sizes: readonly DiskSize[]): { mount: string; usage: number } | undefined {
  const shares = sizes
    .filter(({ writable }) => writable)
    .map(({ mount, used, total }) => ({
      mount: printable(mount),
      usage: Math.round((1_000 * Number(used)) / Number(total)) / 10,
    }));
  return shares.reduce<(typeof shares)[number] | undefined>(
    (fullest, one) => (fullest && fullest.usage >= one.usage ? fullest : one),
    undefined,
  );
}

const MOST_CHARACTERS = 64;

/** What the hub takes as a name: neither control characters nor more than 64 others. */
function printable(mount: string): string {
  return mount
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
    .slice(0, MOST_CHARACTERS)
    .toWellFormed();
}
