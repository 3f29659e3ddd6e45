import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Returns the nearest existing parent of a path. */
function nearest(path: string): string {
  return existsSync(path) || path === '/' ? path : nearest(dirname(path));
}

/** Formats an error in one line if possible; a permission error names the owner of the file and the remedy. */
export function failure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, path } = error as NodeJS.ErrnoException;
  if (path && (code === 'EACCES' || code === 'EPERM')) {
    const at = nearest(path);
    return `No right to write ${path}, which belongs to user ${statSync(at).uid}: run sudo chown -R ${process.getuid?.()} ${at}`;
  }
  if (path && code === 'ENOSPC') return `No room on the disk for ${path}.`;
  return error.message;
}
