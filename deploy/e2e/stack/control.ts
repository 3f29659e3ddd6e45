import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Warren } from '@warren/local/warren';
import type { SpanJson } from './spans.ts';
import type { Facts } from './facts.ts';

type Process = ReturnType<Warren['process']>;

const held = new Set<Process>();

/** Actions of a test on a process. */
const actions: Record<string, (process: Process) => Promise<void>> = {
  /** Ends it with SIGKILL; the supervisor starts it again by itself. Answers once it is gone. */
  kill: async (process) => {
    const { pid } = process;
    process.kill('SIGKILL');
    while (process.pid === pid) await sleep(5);
  },
  /** Ends it with SIGKILL and keeps it down until `start`. */
  hold: async (process) => {
    held.add(process);
    process.kill('SIGKILL');
    await process.stop();
  },
  start: async (process) => {
    held.delete(process);
    await process.start();
  },
  ready: (process) => process.ready(),
};

/** Starts stopped processes, so that a failed test leaves a complete copy to the next. */
async function restore(warren: Warren): Promise<void> {
  for (const name of warren.processes()) {
    const process = warren.process(name);
    if (held.delete(process)) await process.start();
  }
}

/** Returns the received spans of a trace. */
interface Spans {
  of(trace: string): SpanJson[];
}

async function answer(warren: Warren, facts: Facts, spans: Spans, request: IncomingMessage): Promise<unknown> {
  const url = new URL(request.url ?? '/', 'http://control');
  if (url.pathname === '/facts') return facts;
  if (url.pathname === '/spans') return spans.of(url.searchParams.get('trace') ?? '');
  if (url.pathname === '/pids') {
    return Object.fromEntries(warren.processes().map((name) => [name, warren.process(name).pid]));
  }
  const [, action = '', name = ''] = url.pathname.split('/');
  const act = actions[action];
  if (request.method !== 'POST') throw new Error(`no such request: ${request.method} ${url.pathname}`);
  if (url.pathname === '/restore') await restore(warren);
  else if (act) await act(warren.process(name));
  else throw new Error(`no such request: POST ${url.pathname}`);
  return {};
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Lets tests, which run in separate processes, reach the supervisor on a loopback port. */
export async function serveControl(
  warren: Warren,
  facts: Facts,
  spans: Spans,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    answer(warren, facts, spans, request).then(
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
