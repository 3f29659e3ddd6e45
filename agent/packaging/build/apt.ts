import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const MIRROR = process.env['WARREN_DEBIAN_MIRROR'] ?? 'http://deb.debian.org/debian';
/** Debian's unstable has the security releases of Node for 32-bit ARM within days; its stable keeps an older line. */
export const SUITE = 'sid';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * Prepares an apt apart from this machine's: another release, perhaps another architecture, nothing installed.
 * Debian's archive key signs what it takes. The age of the mirror is not checked, so callers check versions.
 * @param root absolute folder of its lists and its cache, made if need be
 * @param architecture as Debian names it: armhf, amd64
 * @param suite the release, by its name
 * @returns the environment in which apt-get uses it
 */
export async function prepareApt(root: string, architecture: string, suite = SUITE): Promise<NodeJS.ProcessEnv> {
  const folders = ['state/lists/partial', 'cache/archives/partial', 'etc/apt.conf.d', 'etc/preferences.d'];
  for (const folder of folders) await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, 'status'), '');
  await writeFile(join(root, 'sources.list'), `deb [signed-by=${KEYRING}] ${MIRROR} ${suite} main\n`);
  const settings = {
    Dir: root,
    'Dir::State': 'state',
    'Dir::State::status': join(root, 'status'),
    'Dir::Cache': 'cache',
    'Dir::Etc': 'etc',
    'Dir::Etc::sourcelist': join(root, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
    'APT::Architecture': architecture,
    'APT::Architectures': architecture,
    'APT::Install-Recommends': 'false',
    'APT::Sandbox::User': '',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '3',
    'Acquire::Check-Valid-Until': 'false',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} "${value}";\n`);
  await writeFile(join(root, 'apt.conf'), lines.join(''));
  return { ...process.env, APT_CONFIG: join(root, 'apt.conf'), LC_ALL: 'C' };
}
