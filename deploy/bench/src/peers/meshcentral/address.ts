import { get } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** Where a server is, and what shows that it is the right one. */
export interface Address {
  port: number;
  /** The certificate of its own authority, PEM. */
  ca: string;
}

/** The address of a socket. */
export function socketUrl({ port }: Address, path: string, query: Record<string, string> = {}): string {
  return `wss://127.0.0.1:${port}${path}?${new URLSearchParams(query).toString()}`;
}

/** @throws Error when the server does not answer with 200 */
export async function page({ port, ca }: Address, path: string): Promise<string> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, ca, agent: false }, resolve).once('error', reject);
  });
  const body = await text(answer);
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`);
  return body;
}
