import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Of } from '@warren/agent/update/runtime';
import { findProgram, requireProgram } from '@warren/infra/programs';
import { command } from '@warren/local/command';
import { root } from '@warren/local/settings';
import { install } from '@warren/local/steps/programs';

const VERSION = '26.7.5';
const SHA256 = '30ef87fb7101c43d29688d1ae80c0588ff4a151b3330e9f664bf9692d398658a';
const NAME = 'keycloak-quarkus-dist';
const MAVEN_PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';

/** Keycloak needs the Java that Debian's Maven depends on. */
const PROGRAMS = { mvn: 'maven', unzip: 'unzip' };

/**
 * Downloads Keycloak with Maven, unless an earlier run did.
 * @returns the folder of the distribution
 * @throws Error if the archive cannot be fetched or its checksum differs
 */
export async function installKeycloak(): Promise<string> {
  const folder = join(root, `.warren/tools/keycloak-${VERSION}`);
  if (existsSync(folder)) return folder;
  const missing = Object.entries(PROGRAMS).flatMap(([program, name]) => (findProgram(program) ? [] : [name]));
  if (missing.length > 0) await install(missing);
  const work = join(root, '.warren/keycloak');
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  const archive = await download(work);
  const digest = await sha256Of(archive);
  if (digest !== SHA256) throw new Error(`${archive}: SHA-256 is ${digest}, expected ${SHA256}`);
  await command(requireProgram('unzip'), ['-q', archive, '-d', work]);
  await mkdir(join(root, '.warren/tools'), { recursive: true });
  await rename(join(work, `keycloak-${VERSION}`), folder);
  await rm(work, { recursive: true });
  return folder;
}

async function download(to: string): Promise<string> {
  const options = {
    'maven.repo.local': join(to, 'maven'),
    artifact: `org.keycloak:${NAME}:${VERSION}:zip`,
    outputDirectory: to,
  };
  const defined = Object.entries(options).map(([name, value]) => `-D${name}=${value}`);
  await command(requireProgram('mvn'), ['--quiet', '--batch-mode', ...defined, MAVEN_PLUGIN], { cwd: to });
  return join(to, `${NAME}-${VERSION}.zip`);
}
