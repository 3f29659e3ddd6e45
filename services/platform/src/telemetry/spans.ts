import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type TextMapGetter,
  type TextMapSetter,
} from '@opentelemetry/api';

/** Spans are made through the API alone, which does nothing until `startTracing` has loaded what exports them. */
const tracer = trace.getTracer('warren');

/** The headers of a message. */
export interface Carrier {
  get(name: string): string;
  set(name: string, value: string): void;
  keys(): string[];
}

const getter: TextMapGetter<Carrier> = {
  get: (carrier, name) => carrier.get(name) || undefined,
  keys: (carrier) => carrier.keys(),
};
const setter: TextMapSetter<Carrier> = { set: (carrier, name, value) => carrier.set(name, value) };

/** The trace of a message (W3C Trace Context); undefined if it has none. */
export function traceOf(carrier: Carrier | undefined): Context | undefined {
  const parent = carrier && propagation.extract(context.active(), carrier, getter);
  return parent && trace.getSpanContext(parent) ? parent : undefined;
}

/** Makes the active span the parent that a message names. */
export function injectTrace(carrier: Carrier): void {
  propagation.inject(context.active(), carrier, setter);
}

/** `trace_id` and `span_id` of the active span, for log lines; empty outside a trace. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}

/**
 * Runs `work` as a span, which fails when `work` rejects. Without a parent there is none: what a timer starts belongs to
 * no request.
 * @param attributes no ids or values of people or devices
 */
export function inSpan<T>(
  {
    name,
    kind,
    attributes,
    parent,
  }: { name: string; kind: SpanKind; attributes: Attributes; parent?: Context | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const from = parent ?? context.active();
  if (!trace.getSpanContext(from)) return work();
  const span = tracer.startSpan(name, { kind, attributes }, from);
  return context.with(trace.setSpan(from, span), async () => {
    try {
      return await work();
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** By its code or class alone: the text may name people. */
function fail(span: Span, error: unknown): void {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  span.setAttribute('error.type', String(code ?? name ?? 'unknown'));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Begins the span of a request from outside, a new trace unless its headers name one, and runs `next` within. */
export function inRequestSpan(headers: Carrier, method: string, next: () => void): Span {
  const parent = traceOf(headers) ?? context.active();
  const span = tracer.startSpan(
    method,
    { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } },
    parent,
  );
  context.with(trace.setSpan(parent, span), next);
  return span;
}

export { SpanKind, SpanStatusCode };
