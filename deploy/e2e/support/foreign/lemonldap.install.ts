import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { arch } from 'node:os';
import { join } from 'node:path';
import { prepareApt } from '@warren/agent/packaging/apt';
import { command } from '@warren/local/command';
import { root } from '@warren/local/settings';

const SUITE = 'bookworm';
const PACKAGES = [
  ...['liblemonldap-ng-portal-perl', 'starman'],
  // Only to satisfy the portal's dependencies.
  ...['lemonldap-ng-fastcgi-server', 'nginx-light'],
  // For the SAML issuer.
  ...['liblasso-perl', 'libxml-simple-perl', 'libglib-perl', 'libio-string-perl'],
  // For the OpenID Connect issuer.
  ...['libcrypt-openssl-bignum-perl', 'libstring-random-perl'],
  // For the pages.
  ...['libgd-securityimage-perl', 'libimage-magick-perl'],
];
/** Part of the folder's name: a copy with other packages is another one. */
const DIGEST = createHash('sha256').update(PACKAGES.join()).digest('hex').slice(0, 8);
/** Major and minor number of the character devices that Perl opens. */
const DEVICES = { null: [1, 3], urandom: [1, 9] };

/**
 * Unpacks LemonLDAP::NG of Debian 12 with all that it depends on, unless an earlier run did. Needs root.
 * @returns the folder, to run its programs in by chroot
 * @throws Error with the output of apt
 */
export async function installLemonldap(): Promise<string> {
  const folder = join(root, `.warren/tools/lemonldap-${DIGEST}`);
  if (existsSync(folder)) return folder;
  const work = join(root, '.warren/lemonldap');
  await rm(work, { recursive: true, force: true });
  const env = await prepareApt(work, arch() === 'arm64' ? 'arm64' : 'amd64', SUITE);
  await command('apt-get', ['update', '--quiet', '--error-on=any'], { env });
  await command('apt-get', ['install', '--download-only', '--yes', '--quiet', ...PACKAGES], { env });
  const tree = join(work, 'tree');
  await unpack(join(work, 'cache/archives'), tree);
  await mkdir(join(root, '.warren/tools'), { recursive: true });
  await rename(tree, folder);
  await rm(work, { recursive: true });
  return folder;
}

async function unpack(archives: string, tree: string): Promise<void> {
  const packages = (await readdir(archives)).filter((name) => name.endsWith('.deb')).sort();
  for (const name of packages) await command('dpkg-deb', ['--extract', join(archives, name), tree]);
  for (const folder of ['dev', 'tmp', 'srv']) await mkdir(join(tree, folder), { recursive: true });
  await chmod(join(tree, 'tmp'), 0o1777);
  for (const [name, numbers] of Object.entries(DEVICES)) {
    await command('mknod', ['--mode=666', join(tree, 'dev', name), 'c', ...numbers.map(String)]);
  }
}
