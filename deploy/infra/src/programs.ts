import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Folders of servers on Debian and Ubuntu that are often missing on a person's PATH. */
const systemFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/local/bin', '/usr/bin', '/bin'];
const postgresRoot = '/usr/lib/postgresql';

function executable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Lists Debian's folders of PostgreSQL, which are not on the PATH, one per version, newest first. */
function postgresFolders(): string[] {
  try {
    return readdirSync(postgresRoot)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(postgresRoot, version, 'bin'));
  } catch {
    return [];
  }
}

/** Finds the absolute path of a program; undefined without it. */
export function findProgram(name: string): string | undefined {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return [...path, ...systemFolders, ...postgresFolders()].map((folder) => join(folder, name)).find(executable);
}

/** Finds a program like findProgram. @throws Error with its name without it */
export function requireProgram(name: string): string {
  const found = findProgram(name);
  if (!found) throw new Error(`program not found: ${name} is neither on the PATH nor in the system's folders`);
  return found;
}
