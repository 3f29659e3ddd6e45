import { join } from 'node:path';
import { readSmall } from '../system/files.ts';
import type { Places } from './places.ts';

/** A package's file with the keys that may sign later updates, one per line. */
export const BROUGHT_KEYS = 'share/release-keys.pub';

/**
 * The keys that may sign an update: those of the steady version, else the one of the installation. A version counts only
 * after its trial, and only root writes to its folder.
 * @returns raw Ed25519 public keys, base64
 */
export async function trustedKeys(places: Places): Promise<string[]> {
  const steady = await places.folderOf('steady');
  const brought = steady === undefined ? [] : keysIn(await readBrought(join(places.version(steady), BROUGHT_KEYS)));
  return brought.length > 0 ? brought : keysIn(await readSmall(places.releaseKey));
}

/** Versions up to 0.1.0 have no such file. */
async function readBrought(file: string): Promise<string> {
  try {
    return await readSmall(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

const keysIn = (text: string) => text.split(/\s+/).filter(Boolean);
