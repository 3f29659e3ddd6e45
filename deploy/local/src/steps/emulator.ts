import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { arch } from 'node:os';
import { join } from 'node:path';
import { prepareApt } from '@warren/agent/packaging/apt';
import { command } from '../command.ts';
import { root } from '../settings.ts';

/** Where the emulator of 32-bit ARM is kept. */
export const armEmulator = join(root, '.warren/tools/qemu-arm');

/**
 * Fetches a QEMU that knows the terminal calls of today's C library (TCGETS2, from 11 on), which Debian 12 and 13 lack.
 * @throws Error with what apt said
 */
export async function installEmulator(note: (text: string) => void): Promise<void> {
  if (existsSync(armEmulator)) return;
  note('the emulator of 32-bit ARM');
  const folder = join(root, '.warren/emulator');
  const env = await prepareApt(folder, arch() === 'arm64' ? 'arm64' : 'amd64');
  await command('apt-get', ['update', '--quiet', '--error-on=any'], { cwd: folder, env });
  await command('apt-get', ['download', '--quiet', 'qemu-user'], { cwd: folder, env });
  const deb = (await readdir(folder)).find((name) => name.endsWith('.deb'));
  if (!deb) throw new Error('apt-get download brought no package qemu-user');
  await command('dpkg-deb', ['--extract', deb, 'unpacked'], { cwd: folder, env });
  await mkdir(join(root, '.warren/tools'), { recursive: true });
  await copyFile(join(folder, 'unpacked/usr/bin/qemu-arm'), `${armEmulator}.new`);
  await rename(`${armEmulator}.new`, armEmulator);
  await rm(folder, { recursive: true });
}
