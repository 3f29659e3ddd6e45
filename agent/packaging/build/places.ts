import { join } from 'node:path';

/** Root folder of the workspace. */
export const workspace = join(import.meta.dirname, '..', '..', '..');
const dist = process.env['WARREN_PACKAGES_DIST'] ?? join(workspace, 'agent/dist');
/** Where packages and their manifest go: what the hub serves. */
export const output = join(dist, 'packages');
/** What a package is put together in. */
export const staging = join(dist, 'staging');
/** What each package was made of. */
export const stampFile = join(dist, 'packages.stamp.json');
/** Downloaded parts and the compiler, kept between builds. */
export const cache = process.env['WARREN_PARTS'] ?? join(workspace, '.warren/agent-parts');
/** What the Node for 32-bit ARM was put together from: a Debian package a line, as apt names them. */
export const debianPackages = join(cache, 'debian/packages.txt');
