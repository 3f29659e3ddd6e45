import { reasonOf, waitOf } from '@warren/platform/outbound/answer';
import { DeliveryError } from '@warren/platform/outbound/delivery.error';
import type { HookClient } from '@warren/platform/outbound/hook.client';
import { VERSION } from '@warren/platform/service/service.module';

/** What became of a request. Reasons and answers are for the log, and carry no secret. */
export type WriteOutcome =
  | { result: 'sent' }
  /** The same request would be refused again. `divisible`: parts of it may be accepted. */
  | { result: 'refused'; reason: string; answer: string; divisible: boolean }
  | { result: 'retry'; reason: string; answer: string; retryAfterMs: number };

const TOO_MANY = 429;
/** Statuses that blame the samples: of Prometheus and Mimir, of Thanos, of proxies that bound sizes, and of Cortex. */
const OF_SAMPLES = [400, 409, 413, 422];
/** Characters of an answer that are logged. */
const MOST_SHOWN = 300;

/** Sends requests of Prometheus remote write 1.0. */
export class RemoteWriteClient {
  private readonly headers: Record<string, string>;

  constructor(
    private readonly hooks: Pick<HookClient, 'post'>,
    private readonly url: URL,
    authorization: string | undefined,
  ) {
    this.headers = {
      'content-type': 'application/x-protobuf',
      'content-encoding': 'snappy',
      'x-prometheus-remote-write-version': '0.1.0',
      'user-agent': `Warren/${VERSION}`,
      ...(authorization !== undefined && { authorization }),
    };
  }

  /** Never rejects for what the receiver does. @param body of a {@link WriteRequest} */
  async send(body: Uint8Array): Promise<WriteOutcome> {
    try {
      const { status, retryAfter, text } = await this.hooks.post(this.url, body, this.headers);
      if (status >= 200 && status < 300) return { result: 'sent' };
      const why = { reason: reasonOf(status), answer: text.trim().slice(0, MOST_SHOWN) };
      if (status < 500 && status !== TOO_MANY)
        return { result: 'refused', ...why, divisible: OF_SAMPLES.includes(status) };
      return { result: 'retry', ...why, retryAfterMs: waitOf(retryAfter) ?? 0 };
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      return { result: 'retry', reason: error.message, answer: '', retryAfterMs: 0 };
    }
  }
}
