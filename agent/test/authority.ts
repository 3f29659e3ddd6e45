import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
const CONFIG = `
[ca]
default_ca = own
[own]
database = index
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
unique_subject = no
copy_extensions = copy
[any]
commonName = supplied
`;

/** An untrusted authority, which issues certificates for `localhost` with the dates that a test needs. */
export class PrivateAuthority {
  private readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(folder: string): Promise<PrivateAuthority> {
    const made = ['req', '-x509', ...KEY, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '3650'];
    await run('openssl', [...made, '-subj', '/CN=Warren test authority'], { cwd: folder });
    await writeFile(join(folder, 'ca.cnf'), CONFIG);
    await writeFile(join(folder, 'index'), '');
    return new PrivateAuthority(folder);
  }

  /** Its certificate, a PEM file. */
  get file(): string {
    return join(this.folder, 'ca.pem');
  }

  /** A certificate and its key (PEM), good from one time until another. */
  async issue(from = new Date(Date.now() - 3_600_000), until = new Date(Date.now() + 3_600_000)) {
    const cwd = this.folder;
    const asked = ['req', ...KEY, '-keyout', 'tls.key', '-out', 'tls.csr', '-subj', '/CN=localhost'];
    await run('openssl', [...asked, '-addext', 'subjectAltName=DNS:localhost'], { cwd });
    const dates = ['-startdate', stamp(from), '-enddate', stamp(until)];
    const signed = ['-config', 'ca.cnf', '-create_serial', '-cert', 'ca.pem', '-keyfile', 'ca.key', ...dates];
    await run('openssl', ['ca', '-batch', '-notext', ...signed, '-in', 'tls.csr', '-out', 'tls.pem'], { cwd });
    return {
      key: await readFile(join(cwd, 'tls.key'), 'utf8'),
      cert: await readFile(join(cwd, 'tls.pem'), 'utf8'),
    };
  }
}

/** As in 20261122221605Z. */
function stamp(time: Date): string {
  return `${time.toISOString().replace(/[-:T]|\.\d+Z$/g, '')}Z`;
}
