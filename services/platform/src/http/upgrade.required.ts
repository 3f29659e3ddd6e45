import type { IncomingMessage, ServerResponse } from 'node:http';

/** Paths that only answer upgrades, as patterns of a router. */
export const UPGRADE_PATHS = ['socketsio', 'agent/connect'] as const;

/**
 * Answers a request that is no upgrade at a path where only those are answered (RFC 9110, 15.5.22): mostly a proxy in front has taken the
 * headers away.
 */
export function upgradeRequired(request: IncomingMessage & { originalUrl?: string }, response: ServerResponse): void {
  const protocol = (request.originalUrl ?? request.url ?? '').startsWith('/agent') ? 'warren-h2' : 'websocket';
  const message = `Upgrade required: only ${protocol} is spoken here.`;
  const body = JSON.stringify({ statusCode: 426, code: 'upgrade_required', message });
  response.writeHead(426, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    Upgrade: protocol,
    Connection: 'Upgrade',
  });
  response.end(body);
}
