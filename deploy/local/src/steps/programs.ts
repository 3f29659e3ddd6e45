import { findPython } from '@warren/agent/packaging/python';
import { dockerAnswers, type ServerKind } from '@warren/infra/docker';
import { findProgram } from '@warren/infra/programs';
import { command } from '../command.ts';
import type { Settings } from '../settings.ts';

export type Source = 'program' | 'docker';
/** Where each private server comes from. */
export type Sources = Partial<Record<ServerKind, Source>>;

/** A program, and the package that brings it. */
export interface Need {
  title: string;
  /** All of these, or for `any` one of them. */
  programs: string[];
  any?: boolean;
  package: string;
}

const servers: Record<ServerKind, Need> = {
  postgres: { title: 'PostgreSQL', programs: ['initdb', 'postgres'], package: 'postgresql' },
  redis: { title: 'Redis', programs: ['redis-server'], package: 'redis-server' },
  nats: { title: 'NATS', programs: ['nats-server'], package: 'nats-server' },
};
/** Brings the compiler of the agent's helper. */
const pythonPackage = 'python3-venv';
const download: Need = { title: 'curl', programs: ['curl', 'wget'], any: true, package: 'curl' };

function present(need: Need): boolean {
  return need.any ? need.programs.some(findProgram) : need.programs.every(findProgram);
}

/**
 * Installs packages without starting what they bring: policy-rc.d forbids it meanwhile (invoke-rc.d(8)), and a server that
 * came with them is not started with the system either. Ours are private instances.
 */
const installScript = `set -e
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\\nexit 101\\n' > "$policy"
  chmod 755 "$policy"
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends "$@"
if [ -d /run/systemd/system ]; then
  for unit in postgresql pgbouncer redis-server nats-server prometheus caddy; do
    case " $* " in *" $unit "*) systemctl disable --quiet "$unit" || true ;; esac
  done
fi`;

/**
 * Installs packages of the distribution, as root or by sudo.
 * @throws Error with what apt-get said
 */
export async function install(packages: string[]): Promise<void> {
  const args = ['-c', installScript, 'sh', ...packages];
  if (process.getuid?.() === 0) return void (await command('/bin/sh', args));
  const terminal = process.stdin.isTTY;
  await command('sudo', [...(terminal ? [] : ['-n']), '/bin/sh', ...args], { terminal });
}

function canInstall(): boolean {
  return Boolean(findProgram('apt-get') && (process.getuid?.() === 0 || findProgram('sudo')));
}

const variable: Record<ServerKind, string> = {
  postgres: 'WARREN_DATABASE_URL',
  redis: 'WARREN_REDIS_URL',
  nats: 'WARREN_NATS_URL',
};

async function fallBack(missing: ServerKind[], failure: string | undefined): Promise<void> {
  if (!missing.length || (await dockerAnswers())) return;
  const kind = missing[0] ?? 'postgres';
  const why = failure ? ` (${failure})` : '';
  throw new Error(
    `${servers[kind].title} is missing${why}: install the package ${servers[kind].package}, or start Docker, or name a server in ${variable[kind]}.`,
  );
}

/**
 * Finds what the start needs: programs of this machine, else the distribution's packages, else Docker.
 * @throws one line that says what is missing and what to do
 */
export async function findSources(settings: Settings, note: (text: string) => void): Promise<Sources> {
  const wanted = (Object.keys(servers) as ServerKind[]).filter((kind) => !settings.given[kind]);
  const needs = [...wanted.map((kind) => servers[kind]), download].filter((need) => !present(need));
  const packages = needs.map((need) => need.package);
  if ('problem' in (await findPython())) packages.push(pythonPackage);
  let failure: string | undefined;
  if (packages.length && canInstall()) {
    note(`apt-get install ${packages.join(' ')}`);
    await install(packages).catch((error: Error) => (failure = error.message.trim().split('\n').at(-1)));
  }
  await fallBack(
    wanted.filter((kind) => !present(servers[kind])),
    failure,
  );
  if (!present(download))
    throw new Error("curl is missing, and the device's installer needs it: install the package curl.");
  const python = await findPython();
  if ('problem' in python) throw new Error(`The agent's package needs Python: ${python.problem}`);
  return Object.fromEntries(wanted.map((kind) => [kind, present(servers[kind]) ? 'program' : 'docker']));
}
