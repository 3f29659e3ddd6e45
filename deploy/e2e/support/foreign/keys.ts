import { generate } from 'selfsigned';

/** A private key and its certificate, PEM. */
export interface Keys {
  key: string;
  cert: string;
}

/** RSA 2048, good for a year. */
export async function makeKeys(name: string): Promise<Keys> {
  const made = await generate([{ name: 'commonName', value: name }], { keySize: 2048, algorithm: 'sha256' });
  return { key: made.private, cert: made.cert };
}
