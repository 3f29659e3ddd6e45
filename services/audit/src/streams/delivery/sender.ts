import { reasonOf, waitOf } from '@warren/platform/outbound/answer';
import { DeliveryError } from '@warren/platform/outbound/delivery.error';
import type { HookClient } from '@warren/platform/outbound/hook.client';
import { signatureHeaders } from '@warren/platform/outbound/signature';
import { boundedJson, type EventJson } from '../format/event.json.ts';
import { syslogMessage, syslogTest } from '../format/syslog.ts';
import type { StreamSecrets } from '../store/stream.secrets.ts';
import type { StreamRow } from '../store/streams.sql.ts';
import type { FileClient } from './file.client.ts';
import type { SyslogClient } from './syslog.client.ts';

/** Bytes of one event, and of the events of one request. */
const EVENT_BYTES = 64 * 1_024;
export const BATCH_BYTES = 512 * 1_024;

export type Sent = { delivered: true } | { delivered: false; reason: string; retryAfterMs?: number };
export type Receiver = Pick<StreamRow, 'id' | 'kind' | 'url' | 'secret' | 'formerSecret' | 'formerUntil' | 'ca'>;

interface Clients {
  hooks: HookClient;
  syslog: SyslogClient;
  files: FileClient;
}

/** Makes one attempt to deliver events. */
export class Sender {
  constructor(
    private readonly clients: Clients,
    private readonly secrets: StreamSecrets,
    private readonly host: string,
  ) {}

  /** Delivers events of one account, in their order, all or none. Never rejects for what a receiver does. */
  events(stream: Receiver, events: readonly EventJson[]): Promise<Sent> {
    const [first] = events;
    if (!first) return Promise.resolve({ delivered: true });
    return this.attempt(stream, {
      id: `${stream.id}.${first.id}`,
      body: () => {
        const list = events.map((event) => boundedJson(event, EVENT_BYTES)).join(',');
        return `{"type":"audit.events","timestamp":"${new Date().toISOString()}","data":{"events":[${list}]}}`;
      },
      messages: () => events.map((event) => syslogMessage(event, this.host)),
      write: () =>
        this.clients.files.append(
          stream.id,
          events.map((event) => boundedJson(event, EVENT_BYTES)),
        ),
    });
  }

  /** Delivers a message that says nothing but that the receiver is reached. */
  test(stream: Receiver, id: string): Promise<Sent> {
    const now = new Date();
    return this.attempt(stream, {
      id,
      body: () => JSON.stringify({ type: 'test', timestamp: now.toISOString(), data: { events: [] } }),
      messages: () => [syslogTest(now, this.host)],
      write: () => this.clients.files.test(stream.id),
    });
  }

  private async attempt(stream: Receiver, message: Message): Promise<Sent> {
    try {
      if (stream.kind === 'file') {
        await message.write();
        return { delivered: true };
      }
      const url = this.secrets.readable(() => this.secrets.open('url', stream));
      if (stream.kind === 'webhook') return await this.post(new URL(url), stream, message);
      await this.clients.syslog.send({ url, ca: stream.ca }, message.messages());
      return { delivered: true };
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      return { delivered: false, reason: error.message };
    }
  }

  private async post(url: URL, stream: Receiver, { id, body: write }: Message): Promise<Sent> {
    const body = write();
    const at = new Date();
    const headers = signatureHeaders(
      { id, body, at },
      ...this.secrets.readable(() => this.secrets.signing(stream, at)),
    );
    const { status, retryAfter } = await this.clients.hooks.post(url, body, headers);
    if (status >= 200 && status < 300) return { delivered: true };
    const retryAfterMs = waitOf(retryAfter);
    return { delivered: false, reason: reasonOf(status), ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
}

interface Message {
  id: string;
  body: () => string;
  messages: () => string[];
  write: () => Promise<void>;
}
