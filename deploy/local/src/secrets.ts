import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';

/** A secret for each name, made at the first start and kept in a file that only its owner reads. */
export async function keptSecrets(file: string, names: readonly string[]): Promise<Record<string, string>> {
  const kept = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Record<string, string>;
  const missing = names.filter((name) => !kept[name]);
  if (!missing.length) return kept;
  for (const name of missing) kept[name] = randomBytes(18).toString('base64url');
  await writeFile(`${file}.new`, JSON.stringify(kept), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return kept;
}
