import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';

/** Selects the handler of a request; undefined for the application's requests. */
export type Diversion = (request: IncomingMessage) => ((response: ServerResponse) => void) | undefined;

/** The application's requests must be complete by then; diverted ones have no limit. */
const WHOLE_MS = 300_000;

/**
 * Diverts requests from a server before its application sees them, so that none of its middleware touches them. The diverted handler
 * answers `Expect: 100-continue` (RFC 9110, 10.1.1); for the application it is answered at once, as before.
 */
export function divertRequests(server: Server, divert: Diversion): void {
  const application = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  const answer = (request: IncomingMessage, response: ServerResponse, awaited: boolean) => {
    const taken = divert(request);
    if (taken) return taken(response);
    if (awaited) response.writeContinue();
    bounded(request);
    for (const listener of application) listener.call(server, request, response);
  };
  server.on('request', (request, response) => answer(request, response, false));
  server.on('checkContinue', (request, response) => answer(request, response, true));
  // No other protocols are offered, so the request is handled as HTTP/1.1 (RFC 9110, 7.8).
  const upgrades = (request: IncomingMessage) =>
    divert(request) === undefined || request.headers.upgrade?.toLowerCase() === 'websocket';
  Object.assign(server, { shouldUpgradeCallback: upgrades });
  // Uploads to a device take longer than any request of the application.
  server.requestTimeout = 0;
}

function bounded(request: IncomingMessage): void {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (coding === undefined && (length === undefined || length === '0')) return;
  const late = setTimeout(() => request.complete || request.socket.destroy(), WHOLE_MS).unref();
  request.once('close', () => clearTimeout(late));
}
