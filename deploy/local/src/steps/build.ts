import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { command } from '../command.ts';
import { fingerprint } from '../fingerprint.ts';
import { hub, root, services } from '../settings.ts';

/** A build step, which runs only if its sources changed or its output is missing. */
interface Unit {
  name: string;
  sources: string[];
  makes: string[];
  /** Scripts of package.json, run one after the other. */
  scripts: string[][];
}

const folders = [...services, hub].map((name) => `services/${name}`);
const compiler = ['tsconfig.base.json', 'tsconfig.json', 'package-lock.json'];
const bundler = ['deploy/local/src/bundle.ts'];

const units: Unit[] = [
  {
    name: 'messages',
    sources: ['proto', 'package-lock.json'],
    makes: ['proto/gen'],
    scripts: [['proto']],
  },
  {
    name: 'services and agent',
    sources: ['proto', 'rules', 'services/platform', ...folders, 'agent', ...compiler, ...bundler],
    makes: [...folders.map((path) => `${path}/dist/bundle.mjs`), 'agent/dist/main.js'],
    scripts: [['compile'], ['bundle']],
  },
  {
    name: 'agent package',
    sources: ['proto', 'agent', ...compiler],
    makes: ['agent/dist/packages/manifest.json'],
    scripts: [['package', '-w', '@warren/agent']],
  },
  {
    name: 'console',
    sources: ['proto', 'rules', 'client', 'web', 'services/gateway', ...compiler],
    makes: ['client/dist/client.js', 'web/dist/index.html'],
    scripts: [
      ['openapi', '-w', '@warren/gateway'],
      ['build', '-w', '@warren/client'],
      ['api', '-w', '@warren/web'],
      ['build', '-w', '@warren/web'],
    ],
  },
];

/** Beside the sources rather than in a home, as several starts of a checkout share the build. */
const stampFile = join(root, '.warren', 'built.json');

async function readStamps(): Promise<Record<string, string>> {
  return JSON.parse(await readFile(stampFile, 'utf8').catch(() => '{}')) as Record<string, string>;
}

async function writeStamps(stamps: Record<string, string>): Promise<void> {
  await mkdir(dirname(stampFile), { recursive: true });
  await writeFile(`${stampFile}.new`, JSON.stringify(stamps));
  await rename(`${stampFile}.new`, stampFile);
}

/** Runs the outdated build steps. Calls `note` with each. */
export async function build(note: (text: string) => void, environment: NodeJS.ProcessEnv): Promise<void> {
  const stamps = await readStamps();
  const env = { ...environment, PATH: `${join(root, 'node_modules/.bin')}:${environment['PATH']}` };
  for (const unit of units) {
    const print = await fingerprint(root, unit.sources);
    if (stamps[unit.name] === print && unit.makes.every((path) => existsSync(join(root, path)))) continue;
    note(unit.name);
    for (const script of unit.scripts) await command('npm', ['run', '--silent', ...script], { cwd: root, env });
    stamps[unit.name] = print;
    await writeStamps(stamps);
  }
}
