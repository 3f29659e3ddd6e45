import { execFile } from 'node:child_process';
import { createCipheriv, createPublicKey, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const XENC = 'http://www.w3.org/2001/04/xmlenc#';
const XENC11 = 'http://www.w3.org/2009/xmlenc11#';
const DIGESTS = {
  sha1: 'http://www.w3.org/2000/09/xmldsig#sha1',
  sha256: `${XENC}sha256`,
  sha384: 'http://www.w3.org/2001/04/xmldsig-more#sha384',
  sha512: `${XENC}sha512`,
};
type Hash = keyof typeof DIGESTS;

/** How a key is wrapped: an algorithm by the end of its name, the hash of the label, that of the mask. */
export interface Transport {
  algorithm: 'rsa-oaep-mgf1p' | 'rsa-oaep';
  digest: Hash;
  /** Said in the message for `rsa-oaep` alone; the other has SHA-1. */
  mask: Hash;
}

/** RSA-OAEP by OpenSSL, which takes each pair of hashes, unlike Node. */
async function wrapped(key: Buffer, cert: string, { digest, mask }: Transport): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'warren-openssl-'));
  try {
    const [pem, plain, sealed] = ['pem', 'plain', 'sealed'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await writeFile(pem, createPublicKey(cert).export({ type: 'spki', format: 'pem' }));
    await writeFile(plain, key);
    const options = ['rsa_padding_mode:oaep', `rsa_oaep_md:${digest}`, `rsa_mgf1_md:${mask}`];
    const chosen = options.flatMap((option) => ['-pkeyopt', option]);
    await run('openssl', ['pkeyutl', '-encrypt', '-pubin', '-inkey', pem, '-in', plain, '-out', sealed, ...chosen]);
    return (await readFile(sealed)).toString('base64');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a provider makes of an assertion with XML Encryption 1.1: AES-256-GCM, and its key wrapped as asked. */
export async function sealedByOpenssl(content: string, cert: string, transport: Transport): Promise<string> {
  const [key, iv] = [randomBytes(32), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const sealed = Buffer.concat([iv, cipher.update(content, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  const { algorithm, digest, mask } = transport;
  const method = `${algorithm === 'rsa-oaep' ? XENC11 : XENC}${algorithm}`;
  const mgf = algorithm === 'rsa-oaep' ? `<x11:MGF xmlns:x11="${XENC11}" Algorithm="${XENC11}mgf1${mask}"/>` : '';
  return `<xenc:EncryptedData xmlns:xenc="${XENC}" Type="${XENC}Element">
    <xenc:EncryptionMethod Algorithm="${XENC11}aes256-gcm"/>
    <ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><xenc:EncryptedKey>
      <xenc:EncryptionMethod Algorithm="${method}"><ds:DigestMethod Algorithm="${DIGESTS[digest]}"/>${mgf}</xenc:EncryptionMethod>
      <xenc:CipherData><xenc:CipherValue>${await wrapped(key, cert, transport)}</xenc:CipherValue></xenc:CipherData>
    </xenc:EncryptedKey></ds:KeyInfo>
    <xenc:CipherData><xenc:CipherValue>${sealed.toString('base64')}</xenc:CipherValue></xenc:CipherData>
  </xenc:EncryptedData>`;
}
