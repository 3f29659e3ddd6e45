import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { randomUUID } from 'node:crypto';
import { Discreet } from './discreet.ts';

/** Spans that wait to be sent; more are dropped. */
const MAX_WAITING = 2_048;
const SEND_EVERY_MS = 1_000;

/**
 * Registers the OpenTelemetry SDK. Address, headers and certificates are the exporter's own to read, from the usual
 * `OTEL_EXPORTER_OTLP_*` variables.
 * @param ratio which part of the traces is kept, 0 to 1
 */
export function exportSpans(name: string, version: string, ratio: number): void {
  // A browser may name the trace; that it wants it kept decides nothing. By its id all services decide alike.
  const root = new TraceIdRatioBasedSampler(ratio);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': `warren-${name}`,
      'service.version': version,
      'service.instance.id': randomUUID(),
    }),
    sampler: new ParentBasedSampler({ root, remoteParentSampled: root }),
    spanProcessors: [
      new Discreet(),
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        maxQueueSize: MAX_WAITING,
        scheduledDelayMillis: SEND_EVERY_MS,
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  // Statements are traced as they are written, with $1 for the values; what was done for no request is left out.
  const sql = new PgInstrumentation({
    requireParentSpan: true,
    ignoreConnectSpans: true,
    enhancedDatabaseReporting: false,
  });
  sql.setTracerProvider(provider);
}
