import { create, type MessageInitShape } from '@bufbuild/protobuf';
import type { GenMessage } from '@bufbuild/protobuf/codegenv2';
import type { Client } from '@connectrpc/connect';
import type { Recording, TerminalRefusal, TerminalSizing } from '@warren/proto/agent/v1/agent';
import {
  FollowInputSchema,
  TerminalInputSchema,
  type AgentService,
  type FollowInput,
  type TerminalInput,
  type TerminalOutput,
  type TerminalSize,
  type TerminalSnapshot,
} from '@warren/proto/agent/v1/agent';

type Kind<Schema extends typeof TerminalInputSchema | typeof FollowInputSchema> = MessageInitShape<Schema>['kind'];
type Input = Kind<typeof TerminalInputSchema> | Kind<typeof FollowInputSchema>;

interface Open {
  session?: string;
  offset?: number;
  userId?: string;
  writer?: string;
  /** Beside the terminal's writers. */
  join?: boolean;
  /** As a reader. */
  follow?: boolean;
  /** As a reader that records. */
  recorder?: boolean;
  /** How it is to be recorded. */
  record?: Recording;
}

/** What the hub and the browser are to one terminal: it types, reads, and acknowledges what it read. */
export class TerminalClient {
  session = '';
  /** Offset of the first byte that came. */
  from = -1;
  /** Offset after the last byte that came. */
  offset = 0;
  bytes = 0;
  exit: { code: number; signal: string } | undefined;
  refused: string | undefined;
  code: TerminalRefusal | undefined;
  /** The agent's count of typed bytes: when it opened the terminal, and last. */
  typedAtOpen = -1;
  typed = 0;
  messages: number[] = [];
  joined = false;
  /** How it is recorded, as the agent says. */
  recording: Recording | undefined;
  /** The terminal's size, as last said. */
  size: TerminalSize | undefined;
  /** Output before the last of them is forgotten. */
  snapshots: TerminalSnapshot[] = [];
  ended: Promise<unknown>;
  acks = true;
  private kept: Buffer[] = [];
  private queue: Input[] = [];
  private aborting = new AbortController();
  private more: (() => void) | undefined;
  private changed: (() => void)[] = [];
  private closed = false;
  private done = false;

  constructor(client: Client<typeof AgentService>, open: Open = {}) {
    this.offset = open.offset ?? 0;
    const { session = '', userId = 'user-1', offset = 0, writer = '', join = false, record } = open;
    const follow = open.follow === true || open.recorder === true;
    const size = { cols: 80, rows: 24 };
    const reader = { session, offset: BigInt(offset), userId, userEmail: 'ada@example.com' };
    const writing = { ...reader, size, writer, join, ...(record !== undefined && { record }) };
    this.send({ case: 'open', value: follow ? { ...reader, record: open.recorder === true } : writing });
    const options = { signal: this.aborting.signal };
    const outputs = follow
      ? client.follow(this.inputs<FollowInput>(FollowInputSchema), options)
      : client.terminal(this.inputs<TerminalInput>(TerminalInputSchema), options);
    this.ended = this.read(outputs).catch((error: unknown) => error);
    void this.ended.then(() => this.notify(true));
  }

  type(text: string | Uint8Array): void {
    this.send({ case: 'data', value: typeof text === 'string' ? Buffer.from(text) : text });
  }

  resize(cols: number, rows: number): void {
    this.send({ case: 'resize', value: { cols, rows } });
  }

  /** Chooses whose window sets the size. */
  sizing(value: TerminalSizing): void {
    this.send({ case: 'sizing', value });
  }

  ack(offset: number): void {
    this.send({ case: 'ack', value: BigInt(offset) });
  }

  /** Says that all output before an offset is stored. */
  store(offset = this.offset): void {
    this.send({ case: 'stored', value: BigInt(offset) });
  }

  close(): void {
    this.send({ case: 'close', value: {} });
  }

  /** Breaks the stream, as a browser that goes away. */
  abort(): void {
    this.aborting.abort();
  }

  get text(): string {
    return this.output.toString('utf8');
  }

  get output(): Buffer {
    return Buffer.concat(this.kept);
  }

  /** Forgets output that was kept, so that a test can read for minutes. */
  forget(): void {
    this.kept = [];
  }

  /** Settles when `done` is true; checked after each output. */
  async until(done: () => boolean): Promise<void> {
    while (!done()) {
      if (this.closed)
        throw new Error(
          `the terminal ended (${String(await this.ended)}, ${this.refused}); last output: ${JSON.stringify(this.text.slice(-500))}`,
        );
      await new Promise<void>((resolve) => this.changed.push(resolve));
    }
  }

  async shows(text: string): Promise<void> {
    let first = true;
    const wanted = Buffer.from(text);
    // All of it once, then only what is new with a little before it: a flood must not be searched again and again.
    await this.until(() => {
      const part = first ? this.output : this.tail(256 * 1024);
      first = false;
      return part.includes(wanted);
    });
  }

  private tail(bytes: number): Buffer {
    let from = this.kept.length;
    for (let size = 0; from > 0 && size < bytes;) size += this.kept[--from]!.length;
    return Buffer.concat(this.kept.slice(from));
  }

  private async read(outputs: AsyncIterable<TerminalOutput>): Promise<void> {
    for await (const { kind } of outputs) {
      if (kind.case === 'opened') {
        this.session = kind.value.session;
        this.from = this.offset = Number(kind.value.offset);
        this.typedAtOpen = this.typed = Number(kind.value.typed ?? 0);
        this.joined = kind.value.joined;
        this.recording = kind.value.recording;
        this.size = kind.value.size;
      } else if (kind.case === 'data') {
        if (Number(kind.value.offset) !== this.offset)
          throw new Error(`gap: ${kind.value.offset} after ${this.offset}`);
        this.offset += kind.value.data.length;
        this.bytes += kind.value.data.length;
        this.messages.push(kind.value.data.length);
        this.kept.push(Buffer.from(kind.value.data));
        if (this.acks) this.ack(this.offset);
      } else if (kind.case === 'snapshot') this.redraw(kind.value);
      else if (kind.case === 'size') this.size = kind.value;
      else if (kind.case === 'exit') this.exit = { code: kind.value.code, signal: kind.value.signal };
      else if (kind.case === 'accepted') this.typed = Number(kind.value.typed);
      else if (kind.case === 'refused') ({ reason: this.refused, code: this.code } = kind.value);
      this.notify(false);
    }
    this.done = true;
    this.more?.();
  }

  private redraw(snapshot: TerminalSnapshot): void {
    this.snapshots.push(snapshot);
    this.offset = Number(snapshot.offset);
    this.size = snapshot.size;
    this.kept = [Buffer.from(snapshot.data)];
    if (this.acks) this.ack(this.offset);
  }

  private notify(closed: boolean): void {
    this.closed ||= closed;
    for (const resolve of this.changed.splice(0)) resolve();
  }

  private send(kind: Input): void {
    this.queue.push(kind);
    this.more?.();
  }

  private async *inputs<M extends TerminalInput | FollowInput>(schema: GenMessage<M>): AsyncGenerator<M> {
    for (;;) {
      const kind = this.queue.shift();
      if (kind) yield create(schema, { kind } as MessageInitShape<GenMessage<M>>);
      else if (this.done) return;
      else await new Promise<void>((resolve) => (this.more = resolve));
    }
  }
}
