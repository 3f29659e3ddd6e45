import { spawn } from 'node:child_process';
import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A blob of an OCI layout. */
export interface Blob {
  digest: string;
  size: number;
}

export interface Layer extends Blob {
  /** Digest of the layer before compression. */
  diffId: string;
}

export interface Tree {
  /** Folder whose content becomes the layer. */
  folder: string;
  /** Its place in the image: `/` or `/app`. */
  to: string;
  /** As in 10001:10001. */
  owner: string;
  /** Time of all files, in seconds. */
  epoch: number;
}

/** GNU tar's options that leave nothing to the machine: order, times, owners. */
export const stableTar = (epoch: number, owner = '0:0') => {
  const [user = '0', group = '0'] = owner.split(':');
  const owners = [`--owner=:${user}`, `--group=:${group}`, '--numeric-owner'];
  return ['--sort=name', `--mtime=@${epoch}`, ...owners, '--format=gnu', '--hard-dereference'];
};

/** A stream that computes a digest of what passes. */
function passing(hash: Hash): PassThrough {
  const through = new PassThrough();
  through.on('data', (data: Buffer) => hash.update(data));
  return through;
}

async function ended(program: string, child: ReturnType<typeof spawn>): Promise<void> {
  let said = '';
  child.stderr?.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-2000)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${program} ended with code ${code}: ${said.trim()}`);
}

/** Writes a folder as a compressed layer below `blobs`. The same content gives the same bytes. */
export async function writeLayer({ folder, to, owner, epoch }: Tree, blobs: string): Promise<Layer> {
  const within = to.replace(/^\/|\/$/g, '');
  // Links keep their targets.
  await mkdir(blobs, { recursive: true });
  const named = within ? [`--transform=s,^\\.,${within},SH`, '.'] : (await readdir(folder)).toSorted();
  // Nothing is awaited until the streams are connected: Node drops what a program writes that has ended unread.
  const tar = spawn('tar', ['-c', ...stableTar(epoch, owner), '-C', folder, ...named], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Zlib inside Node compresses by the processor's abilities; this program does not.
  const gzip = spawn('gzip', ['-6n'], { stdio: ['pipe', 'pipe', 'pipe'] });
  const part = join(blobs, `.${process.pid}.part`);
  const [plain, packed] = [createHash('sha256'), createHash('sha256')];
  await Promise.all([
    ended('tar', tar),
    ended('gzip', gzip),
    pipeline(tar.stdout as Readable, passing(plain), gzip.stdin as Writable),
    pipeline(gzip.stdout as Readable, passing(packed), createWriteStream(part)),
  ]);
  const digest = packed.digest('hex');
  const { size } = await stat(part);
  await rename(part, join(blobs, digest));
  return { digest: `sha256:${digest}`, size, diffId: `sha256:${plain.digest('hex')}` };
}
