import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** The pair that signs assertions, PEM. */
export interface SigningKeys {
  key: string;
  cert: string;
}

const years = 10;

async function read(file: string): Promise<SigningKeys | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as SigningKeys;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the keys of this installation: RSA 2048 with a self-signed certificate, created at the first start. */
export async function signingKeys(dir: string): Promise<SigningKeys> {
  const file = join(dir, 'keys.json');
  const kept = await read(file);
  if (kept) return kept;
  const notAfterDate = new Date();
  notAfterDate.setFullYear(notAfterDate.getFullYear() + years);
  const name = [{ name: 'commonName', value: 'Warren development sign-in' }];
  const made = await generate(name, { keySize: 2048, algorithm: 'sha256', notAfterDate });
  const keys = { key: made.private, cert: made.cert };
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, JSON.stringify(keys), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return keys;
}
