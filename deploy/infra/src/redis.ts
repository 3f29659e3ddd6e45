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

/** How to run Redis with its data in `folder`; `durable` writes every second, else it keeps nothing on the disk. */
export function redisPlan(folder: string, host: string, port: number, durable: boolean): Plan {
  const storage = durable ? ['--appendonly', 'yes'] : ['--appendonly', 'no'];
  return {
    url: `redis://${host}:${port}`,
    spec: {
      name: 'redis',
      command: requireProgram('redis-server'),
      args: ['--bind', host, '--port', String(port), '--dir', folder, '--save', '', '--daemonize', 'no', ...storage],
      cwd: folder,
      log: join(folder, 'redis.log'),
      ready: () => redisReady(host, port),
    },
  };
}

/** A private Redis; `more` are arguments of the server. */
export async function startRedis(options: ServerOptions = {}, more: string[] = []): Promise<Server> {
  const folder = await serverFolder('redis', options.dir);
  return startServer(options, folder, async (host, port) => {
    const plan = redisPlan(folder, host, port, options.dir !== undefined);
    return { ...plan, spec: { ...plan.spec, args: [...plan.spec.args, ...more] } };
  });
}
