import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requireProgram } from './programs.ts';

/** Paths of PEM files. */
export interface Certificate {
  cert: string;
  key: string;
}

/** A certificate authority of a test. */
export interface Authority {
  /** Path of the authority's own certificate, PEM. */
  ca: string;
  /** Issues a certificate for host names and addresses: `DNS:localhost`, `IP:127.0.0.1`. */
  issue(name: string, subjects: string[]): Promise<Certificate>;
}

const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-days', '2'];

async function openssl(...args: string[]): Promise<void> {
  await promisify(execFile)(requireProgram('openssl'), args);
}

/** Creates a certificate authority in a folder, valid for two days. */
export async function makeAuthority(folder: string): Promise<Authority> {
  const [ca, caKey] = [join(folder, 'ca.crt'), join(folder, 'ca.key')];
  await openssl('req', '-x509', ...EC, '-subj', '/CN=Warren test authority', '-keyout', caKey, '-out', ca);
  return {
    ca,
    async issue(name, subjects) {
      const [cert, key, request] = ['crt', 'key', 'csr'].map((end) => join(folder, `${name}.${end}`)) as [
        string,
        string,
        string,
      ];
      const extensions = join(folder, `${name}.ext`);
      await writeFile(extensions, `subjectAltName=${subjects.join(',')}\nextendedKeyUsage=serverAuth,clientAuth\n`);
      await openssl('req', ...EC.slice(0, -2), '-subj', `/CN=${name}`, '-keyout', key, '-out', request);
      const signed = ['-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-days', '2', '-extfile', extensions];
      await openssl('x509', '-req', '-in', request, '-out', cert, ...signed);
      return { cert, key };
    },
  };
}
