/** Before what takes minutes: whether the programs are there that a release is made with. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '@warren/infra/programs';
import { root } from '@warren/local/settings';

/** Programs, and Debian's packages that bring them. */
const NEEDS: Record<string, string> = {
  tar: 'tar',
  gzip: 'gzip',
  git: 'git',
  readelf: 'binutils',
  'apt-get': 'apt',
  'dpkg-deb': 'dpkg',
};

const missing = Object.keys(NEEDS).filter((name) => !findProgram(name));
if (missing.length > 0) {
  const packages = [...new Set(missing.map((name) => NEEDS[name]))].join(' ');
  process.stderr.write(`${missing.join(', ')} is missing: apt-get install ${packages}\n`);
  process.exitCode = 1;
} else if (!existsSync(join(root, '.warren/tools/helm'))) {
  process.stderr.write('helm is missing, which packs the chart: make programs\n');
  process.exitCode = 1;
}
