import type { Span, SpanProcessor } from '@opentelemetry/sdk-trace';

/** Takes the texts of errors out of spans: PostgreSQL's repeat the value that was wrong. The kind of the error stays, and the log has it whole. */
export class Discreet implements SpanProcessor {
  onStart(): void {}

  onEnding(span: Span): void {
    const { code, message } = span.status;
    if (message !== undefined) span.setStatus({ code });
  }

  onEnd(): void {}

  async forceFlush(): Promise<void> {}

  async shutdown(): Promise<void> {}
}
