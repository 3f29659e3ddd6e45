import { ProxyTracerProvider, trace } from '@opentelemetry/api';
import type { CommonConfig } from '../config/common.ts';

const STOP_MS = 2_000;

/**
 * Sends spans to `OTEL_EXPORTER_OTLP_ENDPOINT` from now on. To be called before anything of the service is made, so that the
 * database's driver is watched from its first connection. Without an address nothing is loaded.
 */
export async function startTracing(name: string, version: string, config: CommonConfig): Promise<void> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return;
  const { exportSpans } = await import('./exporting.ts');
  exportSpans(name, version, config.OTEL_TRACES_SAMPLER_ARG);
}

/** Sends what has not been sent yet; a receiver that is away is not waited for. */
export async function stopTracing(): Promise<void> {
  const proxy = trace.getTracerProvider();
  const provider = (proxy instanceof ProxyTracerProvider ? proxy.getDelegate() : proxy) as {
    shutdown?: () => Promise<void>;
  };
  const late = new Promise<void>((resolve) => setTimeout(resolve, STOP_MS).unref());
  await Promise.race([provider.shutdown?.().catch(() => {}), late]);
}
