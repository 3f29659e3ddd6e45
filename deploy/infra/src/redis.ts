import { join } from 'node:path';
import { serverFolder } from './folder.ts';
import { ask } from './ports.ts';
import { requireProgram } from './programs.ts';
import { startServer, type Plan, type Server, type ServerOptions } from './server.ts';

/** Rejects while Redis does not answer, or still loads its data. */
export async function redisReady(host: string, port: number): Promise<void> {
  const answer = await ask(host, port, 'PING\r\n');
  if (!answer.startsWith('+PONG')) throw new Error(`Redis answers ${answer.trim()}`);
}

/**
 * Plans Redis with its data in `folder`; `durable` writes every second, else it stores nothing on disk.
 * @param more additional arguments of the server
 */
export function redisPlan(folder: string, host: string, port: number, durable: boolean, more: string[] = []): Plan {
  const storage = durable ? ['--appendonly', 'yes'] : ['--appendonly', 'no'];
  return {
    url: `redis://${host}:${port}`,
    spec: {
      name: 'redis',
      command: requireProgram('redis-server'),
      args: [
        '--bind',
        host,
        '--port',
        String(port),
        '--dir',
        folder,
        '--save',
        '',
        '--daemonize',
        'no',
        ...storage,
        ...more,
      ],
      cwd: folder,
      log: join(folder, 'redis.log'),
      ready: () => redisReady(host, port),
    },
  };
}

/** A user of Redis with its ACL rules, without the password. */
export interface RedisUser {
  name: string;
  rules: readonly string[];
}

const PASSWORD = 'of-this-test';

/** Returns the server's arguments for a user. */
export function userArguments({ name, rules }: RedisUser): string[] {
  return ['--user', name, 'on', `>${PASSWORD}`, ...rules];
}

/** Returns the URL of a user of {@link userArguments}. */
export function urlOfUser(url: string, name: string): string {
  const address = new URL(url);
  address.username = name;
  address.password = PASSWORD;
  return address.href;
}

/** Adds a user to a running server without a password. @returns the user's URL */
export async function addRedisUser(url: string, { name, rules }: RedisUser): Promise<string> {
  const { hostname, port } = new URL(url);
  const words = ['ACL', 'SETUSER', name, 'reset', 'on', `>${PASSWORD}`, ...rules];
  const answer = await ask(hostname, Number(port), `${words.map((word) => JSON.stringify(word)).join(' ')}\r\n`);
  if (!answer.startsWith('+OK')) throw new Error(`Redis answers ${answer.trim()}`);
  return urlOfUser(url, name);
}

/** Starts a private Redis; `more` are additional arguments. */
export async function startRedis(options: ServerOptions = {}, more: string[] = []): Promise<Server> {
  const folder = await serverFolder('redis', options.dir);
  return startServer(options, folder, async (host, port) => {
    const plan = redisPlan(folder, host, port, options.dir !== undefined);
    return { ...plan, spec: { ...plan.spec, args: [...plan.spec.args, ...more] } };
  });
}
