import { reasonOf, waitOf } from '@warren/platform/outbound/answer';
import { DeliveryError } from '@warren/platform/outbound/delivery.error';
import type { HookClient } from '@warren/platform/outbound/hook.client';

/** What became of a request. Reasons are for the log, and carry no secret. */
export type WriteOutcome =
  | { result: 'sent' }
  /** The same request would be refused again. */
  | { result: 'refused'; reason: string }
  | { result: 'retry'; reason: string; retryAfterMs: number };

const TOO_MANY = 429;

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
      ...(authorization !== undefined && { authorization }),
    };
  }

  /** Never rejects for what the receiver does. @param body as {@link encodeRequest} makes it */
  async send(body: Uint8Array): Promise<WriteOutcome> {
    try {
      const { status, retryAfter } = await this.hooks.post(this.url, body, this.headers);
      if (status >= 200 && status < 300) return { result: 'sent' };
      const reason = reasonOf(status);
      if (status < 500 && status !== TOO_MANY) return { result: 'refused', reason };
      return { result: 'retry', reason, retryAfterMs: waitOf(retryAfter) ?? 0 };
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      return { result: 'retry', reason: error.message, retryAfterMs: 0 };
    }
  }
}
