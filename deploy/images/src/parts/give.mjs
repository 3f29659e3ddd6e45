// The program of the image `packages`: puts the agent's packages where the gateway reads them, a folder that the gateways share or that
// is one gateway's own. Safe while they are read, to run twice, and by several at once.
import { copyFile, mkdir, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const from = join(import.meta.dirname, 'packages');
const to = process.argv[2] ?? '/packages';
const MANIFEST = 'manifest.json';
/** A partial file without writes for this long is abandoned. */
const LEFT_MS = 600_000;

const text = (folder) => readFile(join(folder, MANIFEST), 'utf8').catch(() => '');

/** Writes a file atomically. */
async function put(name) {
  const part = join(to, `.${name}.${process.pid}.${process.hrtime.bigint()}`);
  try {
    await copyFile(join(from, name), part);
    await rename(part, join(to, name));
  } finally {
    await rm(part, { force: true });
  }
}

async function leftBehind(name) {
  const found = await stat(join(to, name)).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > LEFT_MS;
}

const manifest = await text(from);
const names = await readdir(from);
await mkdir(to, { recursive: true });
const there = await readdir(to);
if ((await text(to)) === manifest && names.every((name) => there.includes(name))) {
  console.log(`${to} has release ${JSON.parse(manifest).version} already.`);
} else {
  // The list comes last, when its files exist.
  for (const name of names.filter((one) => one !== MANIFEST)) await put(name);
  await put(MANIFEST);
  for (const name of there) {
    if (names.includes(name) || (name.startsWith('.') && !(await leftBehind(name)))) continue;
    await rm(join(to, name), { force: true });
  }
  console.log(`${to} has release ${JSON.parse(manifest).version} now.`);
}
