import { randomBytes } from 'node:crypto';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { APIRequestContext } from '@playwright/test';
import { device } from '../api.ts';

interface Asked {
  host: string;
  path: string;
  method?: string;
  body?: string;
  headers?: Record<string, string>;
}

/** Asks the hub under the name of a device page, which no DNS knows. */
function ask(hub: string, { host, path, method = 'GET', body = '', headers = {} }: Asked): Promise<IncomingMessage> {
  const { port } = new URL(hub);
  const all = { host, 'content-length': Buffer.byteLength(body), ...headers };
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers: all }, resolve);
    asked.once('error', reject).end(body);
  });
}

/** Exposes the server of a device's port; the request is a SuperAdmin's. Every version takes this body. */
export async function expose(person: APIRequestContext, hub: string, id: string, port: number): Promise<void> {
  const { serial } = await device(person, id);
  const data = { id, serial, port, ipaddr: '127.0.0.1', host: 'local' };
  const response = await person.put('/tunnel/enable_http', { headers: { origin: hub }, data });
  if (!response.ok()) throw new Error(`web service: ${response.status()} ${await response.text()}`);
}

/** Where the console's frame goes. The ticket is in the address where a version gives none beside it. */
interface Entry {
  url: string;
  ticket?: string;
}

async function enter(hub: string, host: string, { url, ticket }: Entry, secret: string): Promise<string> {
  const { pathname, search } = new URL(url);
  const headers = { 'sec-fetch-dest': 'iframe' };
  const body = new URLSearchParams({ ticket: ticket ?? '', secret }).toString();
  const asked = ticket === undefined ? {} : { method: 'POST', body };
  const answer = await ask(hub, { host, path: pathname + search, headers, ...asked });
  answer.resume();
  const cookies = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0]);
  if (cookies.length === 0) throw new Error(`web service: it was not opened: ${answer.statusCode}`);
  return cookies.join('; ');
}

/**
 * Opens a device's web service as the console's frame does.
 * @returns what reads one path of it; throws with the answer when it is not 200
 */
export async function openService(
  person: APIRequestContext,
  hub: string,
  id: string,
): Promise<(path: string) => Promise<string>> {
  const { http_address: host } = await device(person, id);
  const secret = randomBytes(32).toString('base64url');
  const made = await person.post(`/api/devices/${id}/web-address`, { headers: { origin: hub }, data: { secret } });
  if (!made.ok()) throw new Error(`web service: ${made.status()} ${await made.text()}`);
  const cookie = await enter(hub, host, (await made.json()) as Entry, secret);
  return async (path) => {
    const answer = await ask(hub, { host, path, headers: { cookie } });
    const said = await text(answer);
    if (answer.statusCode !== 200) throw new Error(`web service: ${answer.statusCode} ${said.slice(0, 200)}`);
    return said;
  };
}
