import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

type Value = { stringValue?: string; intValue?: number | string };
type Attribute = { key: string; value: Value };

/** What the tests look at of a span that arrived by OTLP (opentelemetry-proto, trace/v1). */
export interface SpanJson {
  service: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 2 is a server's span, 3 a client's. */
  kind: number;
  attributes: Record<string, string>;
}

interface Export {
  resourceSpans?: {
    resource?: { attributes?: Attribute[] };
    scopeSpans?: { spans?: (Omit<SpanJson, 'service' | 'attributes'> & { attributes?: Attribute[] })[] }[];
  }[];
}

/** The last spans are kept; the copies that people leave running must not grow. */
const MAX_SPANS = 50_000;

const plain = (attributes: Attribute[] = []) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue ?? JSON.stringify(value))]),
  );

function spansOf({ resourceSpans = [] }: Export): SpanJson[] {
  return resourceSpans.flatMap(({ resource, scopeSpans = [] }) => {
    const service = plain(resource?.attributes)['service.name'] ?? '';
    const spans = scopeSpans.flatMap((scope) => scope.spans ?? []);
    return spans.map((span) => ({ ...span, service, attributes: plain(span.attributes) }));
  });
}

/** A receiver of spans (OTLP over HTTP, JSON) for the services of a copy. */
export async function receiveSpans(): Promise<{ url: string; of(trace: string): SpanJson[]; close(): Promise<void> }> {
  const kept: SpanJson[] = [];
  const server = createServer((request, response) => {
    json(request).then(
      (body) => {
        kept.push(...spansOf(body as Export));
        kept.splice(0, Math.max(0, kept.length - MAX_SPANS));
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      },
      () => response.writeHead(400).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    of: (trace) => kept.filter(({ traceId }) => traceId === trace),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
