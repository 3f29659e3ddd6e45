import { registry } from '@warren/platform/telemetry/metrics';
import type { NextFunction, Request, Response } from 'express';
import { Counter, Gauge, Histogram } from 'prom-client';

const requestDuration = new Histogram({
  name: 'warren_http_request_duration_seconds',
  help: 'Time to answer a request, by method, pattern of the route and status. Streams of events count when they end.',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
  registers: [registry],
});

export const sessionLookups = new Counter({
  name: 'warren_gateway_session_lookups_total',
  help: 'Lookups of sessions for requests, by part (session or member) and result: hit if the gateway knew it, miss if it asked.',
  labelNames: ['part', 'result'] as const,
  registers: [registry],
});

export const tokenRequests = new Counter({
  name: 'warren_gateway_token_requests_total',
  help: 'Requests with an API token, by outcome: served, invalid (a wrong request), refused (the token is not in force), forbidden (it allows too little), limited (too many), or failed.',
  labelNames: ['outcome'] as const,
  registers: [registry],
});
for (const outcome of ['served', 'invalid', 'refused', 'forbidden', 'limited', 'failed'])
  tokenRequests.inc({ outcome }, 0);

export const certificateIssued = new Gauge({
  name: 'warren_gateway_hub_certificate_issued_timestamp_seconds',
  help: "From when a certificate is valid, in seconds since 1970, by whose: the hub's at its public address, or that of devices' pages.",
  labelNames: ['of'] as const,
  registers: [registry],
});

export const certificateExpiry = new Gauge({
  name: 'warren_gateway_hub_certificate_expiry_timestamp_seconds',
  help: "Until when a certificate is valid, in seconds since 1970, by whose: the hub's at its public address, or that of devices' pages.",
  labelNames: ['of'] as const,
  registers: [registry],
});

/** Measures each request by route: `console` for its pages and files, `none` for unknown paths. */
export function measured(request: Request, response: Response, next: NextFunction): void {
  const stop = requestDuration.startTimer();
  response.once('close', () => {
    const { path } = (request.route as { path?: string } | undefined) ?? {};
    const unrouted = response.statusCode < 400 ? 'console' : 'none';
    stop({ method: request.method, route: path ?? unrouted, status: response.statusCode });
  });
  next();
}
