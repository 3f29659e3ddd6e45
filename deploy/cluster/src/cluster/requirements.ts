import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '@warren/infra/programs';
import { findGo, toolsFolder } from '@warren/local/steps/go-tools';

/** @throws Error that lists what this machine lacks */
export function requirements(): void {
  if (process.getuid?.() !== 0) throw new Error('make cluster needs root: containers of nodes mount, route and filter');
  const programs = { docker: 'docker.io', dockerd: 'docker.io', debootstrap: 'debootstrap', openssl: 'openssl' };
  for (const [program, name] of Object.entries(programs)) {
    if (!findProgram(program)) throw new Error(`make cluster needs ${program}: apt-get install ${name}`);
  }
  if (!findGo()) throw new Error('make cluster needs Go, which compiles Kubernetes: https://go.dev/dl');
  if (!existsSync(join(toolsFolder, 'helm'))) throw new Error('make cluster needs helm: make programs compiles it');
}
