import { join } from 'node:path';
import { serverFolder } from './folder.ts';
import { ask } from './ports.ts';
import { requireProgram } from './programs.ts';
import { startServer, type Plan, type Server, type ServerOptions } from './server.ts';

/** The server's first message is `INFO {json}`; `jetstream` is true in it once the store is open (NATS client protocol). */
export async function natsReady(host: string, port: number): Promise<void> {
  const info = await ask(host, port);
  if (!/"jetstream":\s*true/.test(info)) throw new Error('NATS is up but JetStream is not');
}

/** Additional configuration of the server: a file, and the values of its variables. */
export interface NatsConfiguration {
  file: string;
  variables?: Readonly<Record<string, string>>;
}

/** nats-server parses values of variables as configuration, so a text that begins with a digit needs quotes. */
export function natsVariables({ variables = {} }: NatsConfiguration): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, JSON.stringify(value)]));
}

/** Plans NATS with JetStream and its store in `folder`. */
export function natsPlan(folder: string, host: string, port: number, configuration?: NatsConfiguration): Plan {
  const more = configuration ? ['--config', configuration.file] : [];
  return {
    url: `nats://${host}:${port}`,
    spec: {
      name: 'nats',
      command: requireProgram('nats-server'),
      args: ['--jetstream', '--store_dir', folder, '--addr', host, '--port', String(port), ...more],
      ...(configuration && { env: { ...process.env, ...natsVariables(configuration) } }),
      cwd: folder,
      log: join(folder, 'nats.log'),
      ready: () => natsReady(host, port),
    },
  };
}

/** Starts a private NATS server with JetStream. */
export async function startNats(options: ServerOptions = {}, configuration?: NatsConfiguration): Promise<Server> {
  const folder = await serverFolder('nats', options.dir);
  return startServer(options, folder, async (host, port) => natsPlan(folder, host, port, configuration));
}
