import { readFileSync } from 'node:fs';
import { ConfigError } from './load.ts';

/**
 * Reads the file that an environment variable names.
 * @throws ConfigError naming the variable and the file
 */
export function readNamedFile(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`${variable}: the file ${path} can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
