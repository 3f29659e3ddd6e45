/**
 * Makes the packages that the hub gives to devices, in `dist/packages`: two archives for each processor, with and without its runtime,
 * `manifest.json` that lists them, its signature `manifest.json.sig`, `release-key.pub` with the key of that, and `release-keys.pub` with all that
 * updates may be signed with. For this machine's processor, or with `--all` for every one. Leaves alone what has not changed.
 * Without a release key it refuses, or with `--throwaway-key` takes one of this checkout.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { makePackage, SHARED, stripperOf, withoutStripper, type Archives } from './archive.ts';
import { bundleAgent } from './bundle.ts';
import { ARCHES } from './arches.ts';
import { fetchParts, installedParts, type Parts } from './parts.ts';
import { output, stampFile, workspace } from './places.ts';
import { releaseKey, throwawayFile } from './sign.ts';
import { runtimeProblem } from './support.ts';

interface Made extends Archives {
  digest: string;
}

const { values } = parseArgs({
  options: { all: { type: 'boolean', default: false }, 'throwaway-key': { type: 'boolean', default: false } },
});
const key = await releaseKey({ throwaway: values['throwaway-key'] }).catch(refuse);
const { version } = JSON.parse(await readFile(join(workspace, 'agent/package.json'), 'utf8')) as { version: string };
if (key.throwaway)
  process.stdout.write(`Signed with the key of this checkout, ${throwawayFile}: for trying out only\n`);
const bundle = await bundleAgent();
const common = await commonDigest();
const before = await readStamps();

await mkdir(output, { recursive: true });
const made: Record<string, Made> = {};
for (const part of await wanted().catch(refuse)) made[part.arch] = await make(part).catch(refuse);
// What was made of the same code for other processors stays.
for (const [arch, old] of Object.entries(before)) if (old.digest.startsWith(common)) made[arch] ??= old;
await publish(ARCHES.map((arch) => made[arch]).filter((one) => one !== undefined));
await writeFile(stampFile, JSON.stringify(made));

function refuse(error: Error): never {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

async function wanted(): Promise<Parts[]> {
  if (!values.all) {
    const own = await installedParts();
    if (!own) throw new Error(`there is no prebuilt package for ${process.arch}: run npm ci, or make packages`);
    return [own];
  }
  const missing = withoutStripper();
  if (missing.length > 0)
    throw new Error(
      `binutils for ${missing.join(', ')} are missing: apt-get install binutils binutils-aarch64-linux-gnu`,
    );
  return fetchParts();
}

async function make(part: Parts): Promise<Made> {
  const problem = runtimeProblem(part.version, new Date());
  if (problem) throw new Error(`${part.arch}: ${problem}`);
  const digest = await digestOf(part);
  const old = before[part.arch];
  if (old?.digest === digest) return old;
  const archives = await makePackage(part, bundle, { version, keys: linesOf(key.trusted) });
  for (const { file, size } of [archives.entry, archives.update])
    process.stdout.write(`${file}  ${(size / 1e6).toFixed(1)} MB\n`);
  return { ...archives, digest };
}

/** The manifest is signed as it lies there, byte for byte. */
async function publish(all: Archives[]): Promise<void> {
  const packages = all.map(({ entry }) => entry);
  const updates = all.map(({ update }) => update);
  const manifest = `${JSON.stringify({ version, packages, updates }, null, 2)}\n`;
  // The signature first: a reader between the two writes sees a mismatched manifest and retries.
  await writeWhole('release-key.pub', `${key.publicKey}\n`);
  await writeWhole('release-keys.pub', linesOf(key.trusted));
  await writeWhole('manifest.json.sig', `${key.sign(Buffer.from(manifest))}\n`);
  await writeWhole('manifest.json', manifest);
  const archives = [...packages, ...updates].map(({ file }) => file);
  const kept = new Set(['manifest.json', 'manifest.json.sig', 'release-key.pub', 'release-keys.pub', ...archives]);
  for (const name of await readdir(output)) if (!kept.has(name)) await rm(join(output, name));
}

function linesOf(keys: readonly string[]): string {
  return keys.map((one) => `${one}\n`).join('');
}

async function writeWhole(name: string, text: string): Promise<void> {
  const path = join(output, name);
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return;
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

async function readStamps(): Promise<Record<string, Made>> {
  const stamps = JSON.parse(await readFile(stampFile, 'utf8').catch(() => '{}')) as Record<string, Made>;
  const isThere = (one?: { file: string }) => one !== undefined && existsSync(join(output, one.file));
  return Object.fromEntries(
    Object.entries(stamps).filter(([, { entry, update }]) => isThere(entry) && isThere(update)),
  );
}

async function commonDigest(): Promise<string> {
  const hash = createHash('sha256')
    .update(version)
    .update(key.trusted.join())
    .update(bundle.code)
    .update(bundle.notices);
  for (const file of await readdir(import.meta.dirname)) hash.update(await readFile(join(import.meta.dirname, file)));
  for (const name of SHARED) hash.update(await readFile(join(workspace, 'agent/packaging', name)));
  // Says what belongs to the runtime.
  hash.update(await readFile(join(workspace, 'agent/src/update/runtime.ts')));
  return hash.digest('hex');
}

async function digestOf({ arch, runtime, version, pty, helper }: Parts): Promise<string> {
  // The runtime is large and comes whole from its registry: size and version tell it apart, a folder's name its content.
  const { size } = await stat(runtime);
  const own = createHash('sha256')
    .update(`${arch} ${size} ${version} ${basename(runtime)} ${stripperOf(arch)}`)
    .update(await readFile(pty))
    .update(await readFile(helper));
  return `${common}.${own.digest('hex')}`;
}
