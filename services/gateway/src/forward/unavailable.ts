import { renderPage } from '@warren/platform/http/page';
import type { IncomingMessage, ServerResponse } from 'node:http';

const RETRY_S = 2;
const TITLE = 'Not available';
const TEXT = 'The part of Warren that reaches this device does not answer now. Try again in a moment.';

/** Answers a request for a device's host with 503: a page for people, JSON for programs. Cuts off an answer that has begun. */
export function answerUnavailable(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  const person = (request.headers.accept ?? '').includes('text/html');
  const json = { statusCode: 503, code: 'unavailable', message: TEXT };
  const body = person
    ? renderPage({ title: TITLE, text: TEXT, links: [{ href: '', label: 'Try again' }] })
    : JSON.stringify(json);
  response.writeHead(503, {
    'Content-Type': person ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'Cache-Control': 'no-store',
    'Retry-After': String(RETRY_S),
    Connection: 'close',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
