import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import tls from 'node:tls';

/** Where distributions keep all authorities in one file; the first that exists counts. The list of Go's crypto/x509 (root_linux.go). */
const FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
];
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** What the trusted authorities were read from, and its state then. */
let trusted: string | undefined;

/**
 * Makes TLS trust the system's authorities, the runtime's own and those of NODE_EXTRA_CA_CERTS. Reads the store again only when it
 * has changed, so that a running agent takes what `update-ca-certificates` adds.
 * @param named files and folders that replace the store's usual place
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
    // One damaged file must not keep out the others.
    tls.setDefaultCACertificates(all.filter(canBeParsed));
  }
}

function usualPlace(): string[] {
  const found = FILES.find((path) => markOf(path) !== '');
  return found === undefined ? [] : [found];
}

/** Changes with the file or folder; '' when there is none that can be seen. */
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
    // A folder, a link to nowhere, or nothing for the agent's user.
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
