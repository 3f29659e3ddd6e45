import { rm } from 'node:fs/promises';
import { freePort, portRefusal } from './ports.ts';
import { launch, untilReady, type ProcessSpec, type Running } from './process.ts';

/** Where a server listens and keeps its data. Without `dir` it is ephemeral: a temporary folder, gone at `stop`. */
export interface ServerOptions {
  dir?: string;
  /** 127.0.0.1 if not given. */
  host?: string;
  /** A free one if not given. */
  port?: number;
}

/** A running PostgreSQL, Redis or NATS. */
export interface Server {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly pid: number;
  /** Ends it in good order and waits; an ephemeral server's data goes with it. */
  stop(): Promise<void>;
  /** SIGKILL if no signal is given; the data stays, and `start` brings it back. Waits until the process is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again at the same address with the same data. */
  start(): Promise<void>;
}

/** What one kind of server needs beyond its port. */
export interface Plan {
  spec: ProcessSpec;
  url: string;
}

const attempts = 5;

/** Starts a server from a plan for a port; a lost race for a random port is tried again. */
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
