/** `make release VERSION=1.2.3`, of what `make build` and `make packages` have made; `--check` alone: whether it can be made. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { debianPackages } from '@warren/agent/packaging/places';
import { releaseKey } from '@warren/agent/packaging/sign';
import { command } from '@warren/local/command';
import { failure } from '@warren/local/failure';
import { terminalProgress } from '@warren/local/progress';
import { root } from '@warren/local/settings';
import { digestOfFile } from './files.ts';
import { writeAirgap } from './folder/airgap.ts';
import { writeArchives } from './folder/archives.ts';
import { writeBills } from './folder/bills.ts';
import { provenanceOf, type Inputs } from './folder/provenance.ts';
import { signFolder } from './folder/sign.ts';
import { digestsIn } from './folder/sums.ts';
import { makeReleaseImages } from './images/make.ts';
import { hubProblem } from './images/node.ts';
import type { Runtime } from './images/runtime.ts';
import { folderOf } from './places.ts';
import { checkReady, type Source } from './ready.ts';

const LOCKS = [
  'package-lock.json',
  'agent/packaging/parts/package-lock.json',
  'agent/packaging/parts/requirements.txt',
];

const first = async (program: string, ...args: string[]) => (await command(program, args)).split('\n')[0]?.trim() ?? '';

async function inputsOf(runtimes: Record<string, Runtime>): Promise<Inputs> {
  const url = (await command('git', ['remote', 'get-url', 'origin'], { cwd: root }).catch(() => '')).trim();
  // A path of this machine would be in each release, and differ; an address may hold a password.
  const isPublic = URL.canParse(url) && new URL(url).protocol === 'https:' && !new URL(url).password;
  return {
    repository: isPublic ? `git+${url}` : undefined,
    locks: await Promise.all(LOCKS.map(async (name) => ({ name, sha256: await digestOfFile(join(root, name)) }))),
    nodes: Object.entries(runtimes).map(
      ([
        processor,
        {
          node: { version, sha256 },
        },
      ]) => ({ processor, version, sha256 }),
    ),
    debs: Object.entries(runtimes).flatMap(([processor, { debs }]) => debs.map((deb) => ({ ...deb, processor }))),
    agentDebs: (await readFile(debianPackages, 'utf8')).split('\n').filter(Boolean),
    tools: {
      node: process.version,
      tar: await first('tar', '--version'),
      gzip: await first('gzip', '--version'),
      strip: await first('strip', '--version'),
    },
  };
}

async function make(source: Source, throwaway: boolean): Promise<string> {
  const progress = terminalProgress(process.stdout);
  const key = await releaseKey({ throwaway });
  process.env['SOURCE_DATE_EPOCH'] = String(source.epoch);
  const done = folderOf(source.version);
  const folder = `${done}.new`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { runtimes } = await makeReleaseImages(source, folder, progress);
  const problem = hubProblem(runtimes.amd64.node.version);
  if (problem) progress.say(`  ! Images: ${problem}, as docs/release.md says`);
  await progress.step('Chart, Compose, documentation', () => writeArchives(source, folder));
  await progress.step('Lists of parts', () => writeBills(source, runtimes, folder));
  await progress.step('Provenance', async () => {
    const statement = provenanceOf(source, await digestsIn(folder), await inputsOf(runtimes));
    const file = join(folder, `warren-${source.version}.provenance.json`);
    await writeFile(file, `${JSON.stringify(statement, null, 2)}\n`);
  });
  await progress.step('Air-gap bundle', () => writeAirgap(source, folder, key));
  await progress.step('Checksums and signatures', () => signFolder(folder, source.version, key));
  await mkdir(dirname(done), { recursive: true });
  await rename(folder, done);
  return done;
}

try {
  const { values, positionals } = parseArgs({
    options: { check: { type: 'boolean', default: false }, 'throwaway-key': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const source = await checkReady(positionals[0] ?? '');
  if (!values.check) process.stdout.write(`${await make(source, values['throwaway-key'])}\n`);
} catch (error) {
  process.stderr.write(`${failure(error)}\n`);
  process.exitCode = 1;
}
