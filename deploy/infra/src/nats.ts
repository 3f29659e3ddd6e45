import { join } from 'node:path';
import { serverFolder } from './folder.ts';
import { ask } from './ports.ts';
import { requireProgram } from './programs.ts';
import { startServer, type Plan, type Server, type ServerOptions } from './server.ts';

/** The server greets with `INFO {json}`; `jetstream` is true in it once the store is open (NATS client protocol). */
export async function natsReady(host: string, port: number): Promise<void> {
  const greeting = await ask(host, port);
  if (!/"jetstream":\s*true/.test(greeting)) throw new Error('NATS is up but JetStream is not');
}

/** How to run NATS with JetStream and its store in `folder`; `more` arguments may name a configuration. */
export function natsPlan(folder: string, host: string, port: number, more: string[] = []): Plan {
  return {
    url: `nats://${host}:${port}`,
    spec: {
      name: 'nats',
      command: requireProgram('nats-server'),
      args: ['--jetstream', '--store_dir', folder, '--addr', host, '--port', String(port), ...more],
      cwd: folder,
      log: join(folder, 'nats.log'),
      ready: () => natsReady(host, port),
    },
  };
}

/** A private NATS server with JetStream. */
export async function startNats(options: ServerOptions = {}, more: string[] = []): Promise<Server> {
  const folder = await serverFolder('nats', options.dir);
  return startServer(options, folder, async (host, port) => natsPlan(folder, host, port, more));
}
