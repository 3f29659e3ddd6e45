import { contain, hasImage, type Contained } from './containers.ts';
import { startNats } from './nats.ts';
import { startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';

/** The servers that a test needs. */
export interface Wanted {
  postgres?: boolean;
  redis?: boolean;
  nats?: boolean;
}

export interface TestServers {
  /** TEST_DATABASE_URL, TEST_REDIS_URL and TEST_NATS_URL of the needed servers. */
  env: Record<string, string>;
  /** Stops the servers that were started here. */
  stop(): Promise<void>;
}

interface Started {
  url: string;
  stop(): Promise<unknown>;
}

interface Kind {
  variable: string;
  imageVariable: string;
  container: Contained;
  url(at: string): string;
  program(): Promise<Started>;
}

const kinds: Record<keyof Wanted, Kind> = {
  postgres: {
    variable: 'TEST_DATABASE_URL',
    imageVariable: 'TEST_POSTGRES_IMAGE',
    container: {
      image: 'postgres:17',
      port: 5432,
      environment: { POSTGRES_PASSWORD: 'test' },
      command: ['postgres', '-c', 'fsync=off', '-c', 'max_connections=200'],
      // The image starts it twice: to create the cluster, then to serve.
      serves: { line: /ready to accept connections/, times: 2 },
    },
    url: (at) => `postgres://postgres:test@${at}/postgres`,
    program: startPostgres,
  },
  redis: {
    variable: 'TEST_REDIS_URL',
    imageVariable: 'TEST_REDIS_IMAGE',
    container: { image: 'redis:7', port: 6379 },
    url: (at) => `redis://${at}`,
    program: startRedis,
  },
  nats: {
    variable: 'TEST_NATS_URL',
    imageVariable: 'TEST_NATS_IMAGE',
    container: { image: 'nats:2', port: 4222, command: ['--jetstream'] },
    url: (at) => `nats://${at}`,
    program: startNats,
  },
};

async function startOne(kind: Kind): Promise<Started> {
  const given = process.env[kind.variable];
  if (given) return { url: given, stop: async () => undefined };
  const image = process.env[kind.imageVariable] ?? kind.container.image;
  if (!(await hasImage(image))) return kind.program();
  const { at, stop } = await contain({ ...kind.container, image });
  return { url: kind.url(at), stop };
}

/**
 * Provides real servers for tests: from the environment, else containers if an engine and the images are available, else programs of
 * this machine.
 */
export async function testServers(wanted: Wanted): Promise<TestServers> {
  const names = (Object.keys(kinds) as (keyof Wanted)[]).filter((name) => wanted[name]);
  const results = await Promise.allSettled(names.map((name) => startOne(kinds[name])));
  const started = results.filter((result) => result.status === 'fulfilled').map((result) => result.value);
  const stop = async () => void (await Promise.all(started.map((server) => server.stop())));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  const env = Object.fromEntries(names.map((name, index) => [kinds[name].variable, started[index]?.url ?? '']));
  return { env, stop };
}
