import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Warren } from '@warren/local/warren';
import type { Facts } from './stack.ts';

type Process = ReturnType<Warren['process']>;

/** What a test may ask of a process. */
const actions: Record<string, (process: Process, signal: NodeJS.Signals) => unknown> = {
  /** The supervisor starts it again by itself. */
  kill: (process, signal) => process.kill(signal),
  /** Ends it with a signal and keeps it down until `start`. */
  hold: async (process, signal) => {
    process.kill(signal);
    await process.stop();
  },
  start: (process) => process.start(),
  ready: (process) => process.ready(),
};

async function answer(warren: Warren, facts: Facts, request: IncomingMessage): Promise<unknown> {
  const url = new URL(request.url ?? '/', 'http://control');
  if (url.pathname === '/facts') return facts;
  if (url.pathname === '/pids') {
    return Object.fromEntries(warren.processes().map((name) => [name, warren.process(name).pid]));
  }
  const [, action = '', name = ''] = url.pathname.split('/');
  const act = actions[action];
  if (!act || request.method !== 'POST') throw new Error(`no such request: ${request.method} ${url.pathname}`);
  await act(warren.process(name), (url.searchParams.get('signal') ?? 'SIGKILL') as NodeJS.Signals);
  return {};
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Lets tests, which run in processes of their own, reach the supervisor: on loopback, on a port of its own. */
export async function serveControl(warren: Warren, facts: Facts): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    answer(warren, facts, request).then(
      (body) => send(response, 200, body),
      (error: Error) => send(response, 500, { message: error.message }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
