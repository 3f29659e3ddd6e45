import { until } from '@warren/infra/until';
import { RECORDING_PATH, RECORDING_UPGRADE, RecordingChannel } from '@warren/platform/recordings/channel';
import {
  RecordingInputSchema,
  RecordingOutputSchema,
  type RecordingInput,
  type RecordingOutput,
} from '@warren/proto/tunnels/v1/recordings';
import { request } from 'node:http';

/** A recorder, held by the test. */
export class Recorder {
  readonly messages: RecordingOutput['kind'][] = [];
  readonly pieces: { offset: number; bytes: Buffer }[] = [];
  ended = false;
  private readonly channel: RecordingChannel<typeof RecordingOutputSchema, typeof RecordingInputSchema>;

  private constructor(socket: import('node:stream').Duplex, head: Buffer) {
    this.channel = new RecordingChannel(socket, head, RecordingOutputSchema, RecordingInputSchema, {
      message: ({ kind }) => this.messages.push(kind),
      data: (offset, bytes) => this.pieces.push({ offset, bytes: Buffer.from(bytes) }),
      writable: () => {},
      ended: () => (this.ended = true),
    });
  }

  /** @returns the recorder, or the status of a refusal */
  static dial(url: string, ticket: string): Promise<Recorder | number> {
    return new Promise((resolve, reject) => {
      const headers = { Connection: 'Upgrade', Upgrade: RECORDING_UPGRADE, Authorization: `Bearer ${ticket}` };
      const asked = request(new URL(RECORDING_PATH, url), { agent: false, headers });
      asked.on('upgrade', (_response, socket, head) => resolve(new Recorder(socket, head)));
      asked.on('response', (response) => resolve(response.resume().statusCode ?? 0));
      asked.on('error', reject);
      asked.end();
    });
  }

  /** What the terminal or desktop is; waits for it. */
  async terminal(kind: 'terminal' | 'desktop' = 'terminal'): Promise<{ session: string; userEmail: string }> {
    await until(() => this.of(kind) !== undefined);
    return this.of(kind) as { session: string; userEmail: string };
  }

  /** The last message of a kind. */
  of(kind: string): unknown {
    return this.messages.findLast((message) => message.case === kind)?.value;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.pieces.map(({ bytes }) => bytes));
  }

  get text(): string {
    return this.bytes.toString();
  }

  send(kind: RecordingInput['kind']): void {
    this.channel.send({ kind });
  }

  close(): void {
    this.channel.close();
  }
}
