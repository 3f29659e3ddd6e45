import http, { type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

const MOST_DIALS = 20;
const REDIAL_MS = 250;

/** What the hub answered instead of a 101. */
export class DialRefused extends Error {
  constructor(
    readonly status: number,
    readonly headers: http.IncomingHttpHeaders,
    readonly body: string,
  ) {
    super(`${status}`);
  }
}

type Dialled = { socket: Duplex; head: Buffer; headers: IncomingMessage['headers'] };

export async function dialRaw(url: string, headers: Record<string, string>): Promise<Dialled> {
  const request = http.request(`${url}/agent/connect`, {
    agent: false,
    headers: { Connection: 'Upgrade', Upgrade: 'warren-h2', ...headers },
  });
  request.end();
  return new Promise((resolve, reject) => {
    request.once('upgrade', (response, socket, head) => resolve({ socket, head, headers: response.headers }));
    request.once('response', (response) => {
      const { statusCode = 0, headers } = response;
      void text(response).then((body) => reject(new DialRefused(statusCode, headers, body)), reject);
    });
    request.once('error', reject);
  });
}

/** Dials again while the hub is busy (503), as agents do. */
export async function whileBusy<T>(dial: () => Promise<T>): Promise<T> {
  for (let dials = 1; ; dials++) {
    try {
      return await dial();
    } catch (error) {
      if (!(error instanceof DialRefused) || error.status !== 503 || dials === MOST_DIALS) throw error;
      await wait(REDIAL_MS);
    }
  }
}
