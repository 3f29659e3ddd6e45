import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Folders that hold servers on Debian and Ubuntu but are often missing from a person's PATH. */
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

/** Debian keeps PostgreSQL's programs out of the PATH, in a folder for each version; the newest comes first. */
function postgresFolders(): string[] {
  try {
    return readdirSync(postgresRoot)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(postgresRoot, version, 'bin'));
  } catch {
    return [];
  }
}

/** The absolute path of a program, or undefined where this machine has none. */
export function findProgram(name: string): string | undefined {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return [...path, ...systemFolders, ...postgresFolders()].map((folder) => join(folder, name)).find(executable);
}

/** Like findProgram, but throws an error that names the program. */
export function requireProgram(name: string): string {
  const found = findProgram(name);
  if (!found) throw new Error(`program not found: ${name} is neither on the PATH nor in the system's folders`);
  return found;
}
