import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import tls from 'node:tls';

/** The bundle files of distributions; the first existing one counts. The list of Go's crypto/x509 (root_linux.go). */
const FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
];
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The sources of the trusted authorities, and their state at that time. */
let trusted: string | undefined;

/**
 * Makes TLS trust the system's authorities, the runtime's own and those of NODE_EXTRA_CA_CERTS. Reads the store again only after a
 * change, so that a running agent picks up what `update-ca-certificates` adds.
 * @param named files and folders that replace the store's default location
 */
export function trustSystemAuthorities(named: string[]): void {
  const paths = named.length > 0 ? named : usualPlace();
  const state = paths.map((path) => `${path} ${markOf(path)}`).join('\n');
  if (state === trusted) return;
  trusted = state;
  const all = [
    ...tls.getCACertificates('bundled'),
    ...tls.getCACertificates('extra'),
    ...paths.flatMap(certificatesIn),
  ];
  try {
    tls.setDefaultCACertificates(all);
  } catch {
    // One damaged file must not exclude the others.
    tls.setDefaultCACertificates(all.filter(canBeParsed));
  }
}

function usualPlace(): string[] {
  const found = FILES.find((path) => markOf(path) !== '');
  return found === undefined ? [] : [found];
}

/** Changes with the file or folder; '' when none is visible. */
function markOf(path: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch {
    return '';
  }
}

function certificatesIn(path: string): string[] {
  try {
    const files = statSync(path).isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [path];
    return files.flatMap(certificatesOf);
  } catch {
    return [];
  }
}

function certificatesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').match(CERTIFICATE) ?? [];
  } catch {
    // A folder, a dangling link, or inaccessible to the agent's user.
    return [];
  }
}

function canBeParsed(certificate: string): boolean {
  try {
    return new X509Certificate(certificate).raw.length > 0;
  } catch {
    return false;
  }
}
