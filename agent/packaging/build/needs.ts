/** Before what takes minutes: whether all is there that packages of all processors are made with. One line for all that is missing. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { withoutStripper } from './archive.ts';
import { ownArch } from './arches.ts';
import { findPython } from './python.ts';

/** Debian's packages with binutils, by processor. */
const BINUTILS: Record<string, string> = { x64: 'binutils-x86-64-linux-gnu', arm64: 'binutils-aarch64-linux-gnu' };
if (ownArch) BINUTILS[ownArch] = 'binutils';
const PROGRAMS: Record<string, string> = { readelf: 'binutils', 'apt-get': 'apt', 'dpkg-deb': 'dpkg' };
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
const present = (name: string) => folders.some((folder) => existsSync(join(folder, name)));

async function missingPackages(): Promise<string[]> {
  const missing = withoutStripper().flatMap((arch) => BINUTILS[arch] ?? []);
  for (const [name, bringer] of Object.entries(PROGRAMS)) if (!present(name)) missing.push(bringer);
  if (!existsSync(KEYRING)) missing.push('debian-archive-keyring');
  if ('problem' in (await findPython())) missing.push('python3-venv');
  return [...new Set(missing)];
}

const missing = await missingPackages();
if (missing.length > 0) {
  process.stderr.write(`The agent's packages can't be made without these: apt-get install ${missing.join(' ')}\n`);
  process.exitCode = 1;
}
