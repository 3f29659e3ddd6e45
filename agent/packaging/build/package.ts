/**
 * Makes the packages that the hub gives to devices: `dist/packages/<file>.tar.gz` for each processor whose parts are installed,
 * and `manifest.json` that lists them. Does nothing when nothing has changed.
 */
import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { collectNotices } from './notices.ts';

interface Parts {
  arch: string;
  runtime: string;
  pty: string;
}

interface Entry {
  os: string;
  arch: string;
  file: string;
  sha256: string;
  size: number;
}

const run = promisify(execFile);
const agent = join(import.meta.dirname, '..', '..');
const workspace = join(agent, '..');
const output = join(agent, 'dist', 'packages');
const staging = join(agent, 'dist', 'staging');
/** What systemd is given; the installer puts them in place. */
const UNITS = ['warren-agent.service', 'warren-agent-reboot.path', 'warren-agent-reboot.service'];

const { version } = JSON.parse(await readFile(join(agent, 'package.json'), 'utf8')) as { version: string };
const bundle = await bundleAgent();
const parts = ['x64', 'arm64'].map(findParts).filter((found) => found !== undefined);
if (parts.length === 0) throw new Error('no runtime with a fitting node-pty is installed: run npm ci');
const digest = await digestOf(parts);
if (await isCurrent(digest)) {
  say('The agent packages are up to date.');
} else {
  await mkdir(output, { recursive: true });
  const entries: Entry[] = [];
  for (const part of parts) entries.push(await makePackage(part));
  await writeWhole(join(output, 'manifest.json'), JSON.stringify({ version, packages: entries }, null, 2));
  await removeOthers(entries);
  await writeFile(join(agent, 'dist', 'packages.digest'), digest);
  for (const { file, size } of entries) say(`${file}  ${(size / 1e6).toFixed(1)} MB`);
}
await rm(staging, { recursive: true, force: true });

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function bundleAgent(): Promise<{ code: Uint8Array; notices: string }> {
  const result = await build({
    entryPoints: [join(agent, 'src', 'main.ts')],
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    conditions: ['warren-source'],
    legalComments: 'none',
    metafile: true,
    write: false,
    outfile: join(staging, 'agent.mjs'),
    absWorkingDir: workspace,
    // Some dependencies are CommonJS and ask for Node's own modules by require.
    banner: {
      js: "import { createRequire as _createRequire } from 'node:module'; const require = _createRequire(import.meta.url);",
    },
  });
  const [file] = result.outputFiles;
  if (!file) throw new Error('the bundler made no file');
  const notices = await collectNotices(workspace, Object.keys(result.metafile.inputs), [
    'node_modules/@lydell/node-pty',
    'agent/node_modules/@lydell/node-pty',
  ]);
  return { code: file.contents, notices };
}

/** Where the parts for one processor are, or undefined when they are not installed here. */
function findParts(arch: string): Parts | undefined {
  const places = [agent, workspace];
  const first = (paths: string[]) => paths.find((path) => existsSync(path));
  const own = arch === process.arch ? [join(workspace, 'node_modules/node/bin/node')] : [];
  const runtime = first([...own, ...places.map((place) => join(place, `node_modules/node-linux-${arch}/bin/node`))]);
  const native = `node_modules/@lydell/node-pty-linux-${arch}/prebuilds/linux-${arch}/pty.node`;
  const pty = first(places.map((place) => join(place, native)));
  return runtime && pty ? { arch, runtime, pty } : undefined;
}

async function digestOf(all: Parts[]): Promise<string> {
  const hash = createHash('sha256').update(version).update(bundle.code).update(bundle.notices);
  hash.update(await readFile(import.meta.filename));
  for (const unit of UNITS) hash.update(await readFile(join(agent, 'packaging', unit)));
  for (const { arch, runtime, pty } of all) {
    // The runtime is large and comes from the package registry whole: its size and time tell it apart.
    const { size, mtimeMs } = await stat(runtime);
    hash.update(`${arch} ${size} ${mtimeMs}`).update(await readFile(pty));
  }
  return hash.digest('hex');
}

async function isCurrent(wanted: string): Promise<boolean> {
  const stamp = join(agent, 'dist', 'packages.digest');
  const manifest = join(output, 'manifest.json');
  if (!existsSync(stamp) || !existsSync(manifest) || (await readFile(stamp, 'utf8')) !== wanted) return false;
  const { packages } = JSON.parse(await readFile(manifest, 'utf8')) as { packages: Entry[] };
  return packages.every(({ file }) => existsSync(join(output, file)));
}

async function makePackage({ arch, runtime, pty }: Parts): Promise<Entry> {
  await rm(staging, { recursive: true, force: true });
  for (const folder of ['lib', 'share']) await mkdir(join(staging, folder), { recursive: true });
  await writeFile(join(staging, 'lib/agent.mjs'), bundle.code);
  await copyFile(pty, join(staging, 'lib/pty.node'));
  await copyFile(runtime, join(staging, 'lib/node'));
  await chmod(join(staging, 'lib/node'), 0o755);
  for (const unit of UNITS) await copyFile(join(agent, 'packaging', unit), join(staging, 'share', unit));
  await writeFile(join(staging, 'share/NOTICES.txt'), bundle.notices);
  await writeFile(join(staging, 'package.json'), JSON.stringify({ name: 'warren-agent', version, type: 'module' }));
  const file = `warren-agent-${version}-linux-${arch}.tar.gz`;
  const made = join(output, `.${file}.new`);
  // The same content gives the same archive.
  const stable = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner'];
  await run('tar', [...stable, '--use-compress-program=gzip -6n', '-cf', made, '-C', staging, '.']);
  await rename(made, join(output, file));
  const { size } = await stat(join(output, file));
  return { os: 'linux', arch, file, sha256: await sha256(join(output, file)), size };
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex');
}

async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

async function removeOthers(entries: Entry[]): Promise<void> {
  const kept = new Set(['manifest.json', ...entries.map(({ file }) => file)]);
  for (const name of await readdir(output)) if (!kept.has(name)) await rm(join(output, name));
}
