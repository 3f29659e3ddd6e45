import { get } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Ports } from './settings.ts';

/** Where a server is, and what shows that it is the right one. */
export interface Address {
  ports: Ports;
  /** The certificate of its private authority, PEM. */
  ca: string;
}

/** The address of a socket. */
export function socketUrl({ ports }: Address, path: string, query: Record<string, string> = {}): string {
  return `wss://127.0.0.1:${ports.hub}${path}?${new URLSearchParams(query).toString()}`;
}

/** @throws Error when the server does not answer with 200 */
export async function page({ ports, ca }: Address, path: string): Promise<string> {
  const { answer, body } = await ask(ports.hub, ca, path);
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`);
  return body;
}

/** @returns the response headers of the server for devices' web services, whatever the status */
export async function pageHeaders({ ports, ca }: Address, path: string): Promise<IncomingMessage['headers']> {
  return (await ask(ports.pages, ca, path)).answer.headers;
}

async function ask(port: number, ca: string, path: string): Promise<{ answer: IncomingMessage; body: string }> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, ca, agent: false }, resolve).once('error', reject);
  });
  return { answer, body: await text(answer) };
}
