import { chmod, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns the folder of a server: the given one, created if missing, or a new temporary one. */
export async function serverFolder(name: string, dir?: string): Promise<string> {
  if (dir) {
    await mkdir(dir, { recursive: true });
    return dir;
  }
  const folder = await mkdtemp(join(tmpdir(), `warren-${name}-`));
  // A server that root starts as another user must reach its folder inside this one.
  await chmod(folder, 0o711);
  return folder;
}
