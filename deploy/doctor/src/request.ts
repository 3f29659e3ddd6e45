import { readFileSync } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import { addressesOf } from './names.ts';
import type { Options } from './options.ts';

/** Time limit of a response in milliseconds. */
export const TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024;

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

/** Returns the trusted authorities for the hub's certificate. */
export function authorities({ HUB_CA_FILE }: Pick<Options, 'HUB_CA_FILE'>): { ca?: string[] } {
  return HUB_CA_FILE ? { ca: [...rootCertificates, readFileSync(HUB_CA_FILE, 'utf8')] } : {};
}

/** Resolves names like the check of names, for Node's sockets. */
export const lookup: LookupFunction = (host, { all }, done) => {
  addressesOf(host).then(
    (found) => (all ? done(null, found) : done(null, found[0]?.address ?? '', found[0]?.family)),
    (error: NodeJS.ErrnoException) => done(error, ''),
  );
};

/**
 * Sends a request. Follows no redirects, and accepts every certificate, which the check of TLS judges. An accepted upgrade counts as a
 * response, and ends at once.
 */
export function ask(url: URL, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      headers,
      agent: false,
      lookup,
      rejectUnauthorized: false,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    request.once('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text: '' });
    });
    const failed = (error: Error) => reject(unanswered(error));
    request.once('response', (response) => void read(response).then(resolve, failed));
    request.once('error', failed);
    request.end();
  });
}

/** Names an error of AbortSignal.timeout. */
export function unanswered(error: Error): Error {
  return /^(Timeout|Abort)Error$/.test(error.name) ? new Error(`no answer in ${TIMEOUT_MS / 1000} s`) : error;
}

async function read(response: IncomingMessage): Promise<Answer> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk as string;
    if (text.length > MAX_BYTES) break;
  }
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

/** Returns the `code` of a response of Warren; undefined for another server's. */
export function codeOf({ text }: Answer): string | undefined {
  try {
    const { code } = JSON.parse(text) as { code?: unknown };
    return typeof code === 'string' ? code : undefined;
  } catch {
    return undefined;
  }
}
