import { inRequestSpan, SpanStatusCode, type Carrier } from '@warren/platform/telemetry/spans';
import type { NextFunction, Request, Response } from 'express';

/** Traces each request as a span, in the trace of its `traceparent` header or a new one. */
export function traced(request: Request, response: Response, next: NextFunction): void {
  const span = inRequestSpan(carrierOf(request), request.method, next);
  response.once('close', () => {
    const { path } = (request.route as { path?: string } | undefined) ?? {};
    // The pattern, not the URL, which identifies devices and people.
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
