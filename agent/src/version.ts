import { readFileSync } from 'node:fs';
import * as z from 'zod';

/**
 * The agent's version, from the package.json above: beside `src` and `dist` in the workspace, beside `lib` in a package.
 */
export function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
