import { rm } from 'node:fs/promises';
import { freePort, portRefusal } from './ports.ts';
import { launch, untilReady, type ProcessSpec, type Running } from './process.ts';

/** Address and data folder of a server. Without `dir` it is ephemeral: a temporary folder, deleted by `stop`. */
export interface ServerOptions {
  dir?: string;
  /** Defaults to 127.0.0.1. */
  host?: string;
  /** Defaults to a free one. */
  port?: number;
}

/** A running PostgreSQL, Redis or NATS. */
export interface Server {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly pid: number;
  /** Stops it gracefully, and deletes the data of an ephemeral server. */
  stop(): Promise<void>;
  /** Kills it with SIGKILL or the given signal, and waits for its end. Its data stays for `start`. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Restarts it at the same address with the same data. */
  start(): Promise<void>;
}

/** The properties of a kind of server besides its port. */
export interface Plan {
  spec: ProcessSpec;
  url: string;
}

const attempts = 5;

/** Starts a server from its plan; retries with another random port if the port is taken. */
export async function startServer(
  options: ServerOptions,
  folder: string,
  plan: (host: string, port: number) => Promise<Plan>,
): Promise<Server> {
  const host = options.host ?? '127.0.0.1';
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort(host));
    const refusal = await portRefusal(host, port);
    if (refusal && options.port !== undefined) throw new Error(`port ${port} of ${host} can't be used: ${refusal}`);
    const { spec, url } = await plan(host, port);
    const first = launch(spec);
    try {
      await untilReady(spec, first);
    } catch (error) {
      await first.stop();
      if (options.port !== undefined || attempt === attempts) throw error;
      continue;
    }
    return handle({ spec, url }, { host, port }, first, options.dir ? undefined : folder);
  }
}

function handle(plan: Plan, at: { host: string; port: number }, first: Running, temporary?: string): Server {
  let running = first;
  return {
    url: plan.url,
    ...at,
    get pid() {
      return running.pid;
    },
    async stop() {
      await running.stop();
      if (temporary) await rm(temporary, { recursive: true, force: true });
    },
    async kill(signal: NodeJS.Signals = 'SIGKILL') {
      running.kill(signal);
      await running.ended;
    },
    async start() {
      running = launch(plan.spec);
      await untilReady(plan.spec, running);
    },
  };
}
