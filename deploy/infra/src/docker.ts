import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { natsReady, natsVariables, type NatsConfiguration } from './nats.ts';
import { postgresReady } from './postgres.ts';
import { findProgram, requireProgram } from './programs.ts';
import { redisReady } from './redis.ts';
import type { Plan } from './server.ts';

export type ServerKind = 'postgres' | 'redis' | 'nats';

interface Image {
  image: string;
  /** Its port and its data folder inside the container. */
  port: number;
  data: string;
  args: string[];
  stopSignal: NodeJS.Signals;
}

const images: Record<ServerKind, Image> = {
  postgres: {
    image: 'postgres:17',
    port: 5432,
    data: '/var/lib/postgresql/data',
    args: ['postgres', '-c', 'max_connections=200'],
    stopSignal: 'SIGINT',
  },
  redis: {
    image: 'redis:7',
    port: 6379,
    data: '/data',
    args: ['redis-server', '--save', '', '--appendonly', 'yes'],
    stopSignal: 'SIGTERM',
  },
  nats: {
    image: 'nats:2',
    port: 4222,
    data: '/data',
    args: ['--jetstream', '--store_dir', '/data'],
    stopSignal: 'SIGTERM',
  },
};

/** Tells whether this user can use a Docker engine. */
export async function dockerAnswers(): Promise<boolean> {
  const docker = findProgram('docker');
  if (!docker) return false;
  return promisify(execFile)(docker, ['info', '--format', '{{.ID}}'], { timeout: 5000 }).then(
    () => true,
    () => false,
  );
}

function keptPassword(folder: string): string {
  const file = join(folder, 'password');
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(18).toString('base64url')}\n`, { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

const ready: Record<ServerKind, (host: string, port: number, url: string) => Promise<void>> = {
  postgres: (_host, _port, url) => postgresReady(url),
  redis: redisReady,
  nats: natsReady,
};

/** Builds the options for the configuration of NATS in a container: the file as a volume, and variables. */
function configured(configuration?: NatsConfiguration) {
  if (!configuration) return { options: [], args: [], env: {} };
  const inside = '/etc/nats/warren.conf';
  const env = natsVariables(configuration);
  const names = Object.keys(env).flatMap((name) => ['--env', name]);
  return { options: [...names, '--volume', `${configuration.file}:${inside}:ro`], args: ['--config', inside], env };
}

/**
 * Plans a server in a container that ends with its `docker run`. Its data in `folder` belongs to the current user. Only NATS has a
 * configuration.
 */
export async function dockerPlan(
  kind: ServerKind,
  folder: string,
  host: string,
  port: number,
  configuration?: NatsConfiguration,
): Promise<Plan> {
  const data = join(folder, 'data');
  await mkdir(data, { recursive: true, mode: 0o700 });
  const password = kind === 'postgres' ? keptPassword(folder) : '';
  const url =
    kind === 'postgres' ? `postgres://postgres:${password}@${host}:${port}/postgres` : `${kind}://${host}:${port}`;
  const { image, port: inside, data: mount, args, stopSignal } = images[kind];
  const name = `warren-${kind}-${port}`;
  const options = [
    '--env',
    'POSTGRES_PASSWORD',
    '--rm',
    '--name',
    name,
    '--user',
    `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`,
  ];
  const more = configured(configuration);
  const address = ['--publish', `${host}:${port}:${inside}`, '--volume', `${data}:${mount}`];
  // A container outlives a killed `docker run`, so the next run removes it first.
  const script = 'name=$1; shift; "$DOCKER" rm --force "$name" >/dev/null 2>&1; exec "$DOCKER" "$@"';
  return {
    url,
    spec: {
      name: kind,
      command: '/bin/sh',
      args: ['-c', script, 'sh', name, 'run', ...options, ...more.options, ...address, image, ...args, ...more.args],
      env: { ...process.env, ...more.env, DOCKER: requireProgram('docker'), POSTGRES_PASSWORD: password },
      log: join(folder, `${kind}.log`),
      stopSignal,
      stopTimeout: 30_000,
      ready: () => ready[kind](host, port, url),
    },
  };
}
