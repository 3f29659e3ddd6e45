import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { Fault } from '../errors/fault.ts';
import { Discreet } from './discreet.ts';
import {
  inRequestSpan,
  injectTrace,
  inSpan,
  SpanKind,
  SpanStatusCode,
  traceFields,
  traceOf,
  type Carrier,
} from './spans.ts';

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

function carrier(headers: Record<string, string> = {}): Carrier & { headers: Record<string, string> } {
  return {
    headers,
    get: (name) => headers[name] ?? '',
    set: (name, value) => void (headers[name] = value),
    keys: () => Object.keys(headers),
  };
}

describe('spans', () => {
  const exporter = new InMemorySpanExporter();
  const call = { name: 'Service/Call', kind: SpanKind.CLIENT, attributes: {} };

  beforeAll(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    trace.setGlobalTracerProvider(
      new TracerProvider({ spanProcessors: [new Discreet(), new SimpleSpanProcessor({ exporter })] }),
    );
  });
  beforeEach(() => exporter.reset());
  afterAll(() => {
    for (const api of [context, propagation, trace]) api.disable();
  });

  it('are none without a parent, and the work runs all the same', async () => {
    expect(await inSpan(call, async () => traceFields())).toEqual({});
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  it('continue in the message that is sent, and name it in the log', async () => {
    const sent = carrier();
    const parent = traceOf(carrier({ traceparent: PARENT }));
    const fields = await inSpan({ ...call, parent }, async () => {
      injectTrace(sent);
      return traceFields();
    });
    const [span] = exporter.getFinishedSpans();
    expect(span?.parentSpanContext?.spanId).toBe('b7ad6b7169203331');
    expect(fields).toEqual({ trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: span?.spanContext().spanId });
    expect(sent.headers['traceparent']).toBe(`00-${fields.trace_id}-${fields.span_id}-01`);
  });

  it('record a failure by its code, and nothing of its text', async () => {
    const parent = traceOf(carrier({ traceparent: PARENT }));
    const failing = inSpan({ ...call, parent }, () =>
      Promise.reject(new Fault('not_found', 'Ann Example is not there.')),
    );
    await expect(failing).rejects.toThrow('Ann Example');
    const [span] = exporter.getFinishedSpans();
    expect(span?.attributes['error.type']).toBe('not_found');
    expect(JSON.stringify([span?.attributes, span?.status, span?.events])).not.toContain('Ann');
  });

  it('of others leave without the text of their error', () => {
    const span = trace.getTracer('pg').startSpan('query');
    span.setStatus({ code: SpanStatusCode.ERROR, message: 'invalid input syntax for type uuid: "secret"' });
    span.end();
    expect(exporter.getFinishedSpans()[0]?.status).toEqual({ code: SpanStatusCode.ERROR });
  });

  it('of a request begin a new trace where its header is none', () => {
    for (const traceparent of ['', 'nonsense', '00-00000000000000000000000000000000-0000000000000000-01']) {
      let inside: ReturnType<typeof traceFields> = {};
      const span = inRequestSpan(carrier({ traceparent }), 'GET', () => (inside = traceFields()));
      span.end();
      expect(inside.trace_id).toMatch(/^[\da-f]{32}$/);
      expect(exporter.getFinishedSpans().at(-1)?.parentSpanContext).toBeUndefined();
    }
  });
});
