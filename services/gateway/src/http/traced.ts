import { inRequestSpan, SpanStatusCode, type Carrier } from '@warren/platform/telemetry/spans';
import type { NextFunction, Request, Response } from 'express';

/** Makes each request a span: of the trace that the browser names by `traceparent`, else of a new one. */
export function traced(request: Request, response: Response, next: NextFunction): void {
  const span = inRequestSpan(carrierOf(request), request.method, next);
  response.once('close', () => {
    const { path } = (request.route as { path?: string } | undefined) ?? {};
    // The pattern, never the address: that names devices and people.
    if (path) span.updateName(`${request.method} ${path}`).setAttribute('http.route', path);
    span.setAttribute('http.response.status_code', response.statusCode);
    if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
}

function carrierOf({ headers }: Request): Carrier {
  const text = (value: string | string[] | undefined) => (typeof value === 'string' ? value : '');
  return { get: (name) => text(headers[name]), set: () => {}, keys: () => Object.keys(headers) };
}
