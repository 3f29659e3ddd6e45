import { setTimeout as wait } from 'node:timers/promises';
import { readDisk } from '../system/facts.ts';
import { readText } from '../system/files.ts';
import { parseMounts } from './counters.ts';

/** A mounted file system, in bytes. */
export interface DiskSize {
  mount: string;
  used: bigint;
  total: bigint;
}

type ReadDisk = (mount: string) => Promise<{ total: number; used: number }>;

const PATIENCE_MS = 5_000;

/**
 * Reads the sizes of mounted disks. Leaves out a disk that does not answer, such as a network disk without its server, and does not read
 * it again until it has answered: each pending read blocks one of the few threads for files and DNS.
 */
export class DiskReader {
  private readonly asked = new Set<string>();
  private readonly readDisk: ReadDisk;
  private readonly patienceMs: number;

  constructor(read: ReadDisk = readDisk, patienceMs = PATIENCE_MS) {
    this.readDisk = read;
    this.patienceMs = patienceMs;
  }

  async read(mounts?: readonly string[]): Promise<DiskSize[]> {
    const all = mounts ?? parseMounts(await readText('/proc/self/mounts'));
    const sizes = await Promise.all(all.filter((mount) => !this.asked.has(mount)).map((mount) => this.sizeOf(mount)));
    return sizes.filter((size) => size !== undefined);
  }

  private async sizeOf(mount: string): Promise<DiskSize | undefined> {
    this.asked.add(mount);
    const reading = this.readDisk(mount)
      .catch(() => undefined)
      .finally(() => this.asked.delete(mount));
    const size = await Promise.race([reading, wait(this.patienceMs, undefined, { ref: false })]);
    return size && size.total > 0 ? { mount, used: BigInt(size.used), total: BigInt(size.total) } : undefined;
  }
}
