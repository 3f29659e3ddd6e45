import {
  TerminalRefusal,
  TerminalSizing,
  type TerminalData,
  type TerminalOpened,
  type TerminalOutput,
  type TerminalSnapshot,
} from '@warren/proto/agent/v1/agent';
import { BREACHES, TooManyStreams } from '../links/link.guard.ts';
import type { FollowCall, TerminalCall } from '../links/link.calls.ts';
import type { AgentLink } from '../links/link.ts';
import type { Use } from '../metering/usage.meter.ts';
import { carried } from '../sockets/carried.ts';
import { binaryCodec, shortTextCodec, TextCodec, type OutputCodec } from './codec.ts';
import { InputQueue } from './input.ts';
import type { RefusalCode, Register } from './messages.ts';
import { OutputPipe, type OutputSink } from './output.ts';
import { sizeOf, type Size } from './size.ts';

/** How an attachment ended. `lost`: the link or its stream broke, and the terminal may live on at the agent. */
export type Ending =
  | { kind: 'exit'; code: number; signal: string }
  | { kind: 'refused'; reason: string; code: RefusalCode }
  | { kind: 'lost'; reason: string }
  | { kind: 'detached' };

/** How a browser attaches: `only` takes over from other writers, `writer` joins them, `reader` reads. */
export type AttachmentRole = 'only' | 'writer' | 'reader';

/** What a terminal that can be shared says when it is opened. */
export interface Opened {
  session: string;
  offset: number;
  typed: number | undefined;
  /** Columns and rows of a terminal that can be shared; undefined for another one. */
  size: Size | undefined;
}

export interface AttachmentOptions {
  link: AgentLink;
  /** The terminal's owner, and the address of the person who attaches. */
  owner: string;
  email: string;
  role: AttachmentRole;
  request: Register;
  sink: OutputSink;
  /** Counts the bytes for the account. */
  use: Use;
  onOpened: (opened: Opened) => void;
  /** The screen at an offset, in place of output that this browser was too slow for. */
  onSnapshot: (snapshot: { offset: number; data: Uint8Array } & Size) => void;
  /** The terminal has another size. */
  onSize: (size: Size) => void;
  /** The agent has accepted this many bytes of the writer. */
  onAccepted: (typed: number) => void;
  /** The device accepts input more slowly than it arrives. */
  onPressure: (pressed: boolean) => void;
}

const OPEN_TIMEOUT_MS = 5_000;
/** Credit step for a client that does not acknowledge parsed bytes. */
const CREDIT_STEP = 64 * 1024;

/** How a terminal ends on request: its programs lose their controlling terminal. */
const ENDED: Ending = { kind: 'exit', code: 0, signal: 'SIGHUP' };

const REFUSALS: Record<TerminalRefusal, RefusalCode> = {
  [TerminalRefusal.UNSPECIFIED]: 'failed',
  [TerminalRefusal.GONE]: 'gone',
  [TerminalRefusal.LIMIT]: 'limit',
  [TerminalRefusal.TAKEN_OVER]: 'taken_over',
  [TerminalRefusal.INPUT_FULL]: 'input_full',
  [TerminalRefusal.OFFSET]: 'offset',
  [TerminalRefusal.FULL]: 'full',
};

const bytesIn = carried('terminal', 'in');
const bytesOut = carried('terminal', 'out');

function codecFor({ encoding, text }: Register): OutputCodec {
  if (encoding !== 'binary') return new TextCodec();
  return text ? shortTextCodec : binaryCodec;
}

/** One browser attached to one terminal. The terminal belongs to the agent. */
export class Attachment {
  private readonly input: InputQueue;
  private readonly output: OutputPipe;
  private call: TerminalCall | FollowCall | undefined;
  private ended: ((ending: Ending) => void) | undefined;
  private opened = false;
  private late = false;
  private detached = false;
  private ending = false;
  private credited = 0;
  /** Bytes of input so far. */
  typed = 0;
  /** Bytes that the agent has accepted, not yet acknowledged to the browser. */
  private accepted: number | undefined;

  constructor(private readonly options: AttachmentOptions) {
    const { request, sink } = options;
    this.input = new InputQueue(options.onPressure, () => this.send());
    this.output = new OutputPipe(sink, codecFor(request), (sent) => this.creditFor(sent));
  }

  /** Runs until the terminal, the link or the browser ends it. Never rejects. */
  async run(): Promise<Ending> {
    const timer = setTimeout(() => this.timedOut(), OPEN_TIMEOUT_MS);
    const ending = await new Promise<Ending>((resolve) => {
      this.ended = resolve;
      this.open();
    });
    clearTimeout(timer);
    this.input.end();
    this.output.discard();
    this.call?.end();
    return ending;
  }

  /** Sends keystrokes to the device. */
  type(input: string | Buffer): void {
    const bytes = typeof input === 'string' ? Buffer.from(input, 'utf8') : input;
    if (bytes.length === 0 || !this.writes) return;
    this.typed += bytes.length;
    bytesIn(bytes.length);
    this.options.use.toDevice(bytes.length);
    this.input.push({ case: 'data', value: bytes });
  }

  resize(size: Size): void {
    if (this.writes) this.input.push({ case: 'resize', value: size });
  }

  /** Lets this browser's window set the terminal's size, or the smallest window again. */
  sizeBy(isMine: boolean): void {
    const value = isMine ? TerminalSizing.MINE : TerminalSizing.SMALLEST;
    if (this.options.role === 'writer') this.input.push({ case: 'sizing', value });
  }

  /** The browser has parsed all bytes before this offset. Ignores offsets that were never sent. */
  ack(offset: number): void {
    if (this.options.request.acks) this.credit(Math.min(offset, this.output.sent));
  }

  /** The socket has drained. */
  pump(): void {
    this.output.pump();
    this.sendAccepted();
  }

  /** Ends the terminal and its programs. */
  end(): void {
    if (!this.writes) return;
    this.ending = true;
    this.input.push({ case: 'close', value: {} });
  }

  /** Detaches from the terminal, which keeps running at the agent. */
  detach(): void {
    this.detached = true;
    this.output.discard();
    this.call?.cancel();
  }

  private get writes(): boolean {
    return this.options.role !== 'reader';
  }

  private open(): void {
    const { link, request, role, owner: userId, email: userEmail } = this.options;
    const { cols, rows, session, offset, writer } = request;
    const events = {
      message: (output: TerminalOutput) => this.handle(output),
      writable: () => this.send(),
      ended: (error?: Error) => this.ended?.(this.over(error)),
    };
    try {
      this.call = this.writes ? link.terminal(events) : link.follow(events);
    } catch (error) {
      return this.ended?.(this.over(error as Error));
    }
    const reader = { session, offset: BigInt(offset), userId, userEmail };
    const asWriter = { size: { cols, rows }, term: 'xterm-256color', writer, join: role === 'writer' };
    // A reader's call has the same first fields, and takes no other input than acknowledgements.
    const value = this.writes ? { ...reader, ...asWriter } : reader;
    this.input.push({ case: 'open', value });
  }

  /** Sends queued input as far as the link accepts it; the rest merges meanwhile. */
  private send(): void {
    while (this.call?.ready) {
      const kind = this.input.next();
      if (!kind) return;
      this.call.send({ kind } as never);
    }
  }

  private handle({ kind }: TerminalOutput): void {
    switch (kind.case) {
      case 'data':
        return this.show(kind.value);
      case 'opened':
        return this.begin(kind.value);
      case 'exit':
        this.output.finish();
        return this.ended?.({ kind: 'exit', code: kind.value.code, signal: kind.value.signal });
      case 'refused':
        return this.ended?.({
          kind: 'refused',
          reason: kind.value.reason,
          code: REFUSALS[kind.value.code] ?? 'failed',
        });
      case 'accepted':
        return this.accept(Number(kind.value.typed));
      case 'snapshot':
        return this.skip(kind.value);
      case 'size':
        return this.options.onSize(sizeOf(kind.value));
      case undefined:
        // From a newer agent; unknown messages are ignored, as protobuf asks.
        return;
    }
  }

  private show({ data, offset }: TerminalData): void {
    bytesOut(data.length);
    this.options.use.fromDevice(data.length);
    const room = this.output.push(data, Number(offset));
    if (!room) return;
    this.call?.pause();
    void room.then(() => this.call?.resume());
  }

  private skip({ offset, data, size }: TerminalSnapshot): void {
    bytesOut(data.length);
    this.options.use.fromDevice(data.length);
    this.output.skipTo(Number(offset));
    this.options.onSnapshot({ offset: Number(offset), data, ...sizeOf(size) });
    if (!this.options.request.acks) this.credit(Number(offset));
  }

  /** Acknowledges only the newest count per turn of the event loop. */
  private accept(typed: number): void {
    if (this.accepted === undefined) setImmediate(() => this.sendAccepted());
    this.accepted = typed;
  }

  /** Waits for a busy browser's socket to drain. */
  private sendAccepted(): void {
    if (this.accepted === undefined || this.options.sink.busy()) return;
    this.options.onAccepted(this.accepted);
    this.accepted = undefined;
  }

  private begin({ session, offset, typed, joined, size }: TerminalOpened): void {
    if (this.opened) return this.call?.cancel();
    this.opened = true;
    this.output.sent = this.credited = Number(offset);
    const shared = joined ? sizeOf(size) : undefined;
    const count = typed === undefined ? undefined : Number(typed);
    this.options.onOpened({ session, offset: Number(offset), typed: count, size: shared });
  }

  private creditFor(sent: number): void {
    if (!this.options.request.acks && sent - this.credited >= CREDIT_STEP) this.credit(sent);
  }

  private credit(offset: number): void {
    if (offset <= this.credited) return;
    this.credited = offset;
    this.input.push({ case: 'ack', value: BigInt(offset) });
  }

  private timedOut(): void {
    if (this.opened) return;
    this.late = true;
    this.call?.cancel();
  }

  private over(error: Error | undefined): Ending {
    if (this.late) return { kind: 'refused', reason: 'The device did not open the terminal in time.', code: 'failed' };
    if (this.detached) return { kind: 'detached' };
    if (!error && this.ending) return ENDED;
    if (!error) return { kind: 'lost', reason: 'The device ended the connection to the terminal.' };
    if (error instanceof TooManyStreams) return { kind: 'refused', reason: error.message, code: 'limit' };
    const { breach } = this.options.link;
    if (breach) return { kind: 'lost', reason: `The hub closed the connection: the device sent ${BREACHES[breach]}.` };
    if (!this.options.link.alive) return { kind: 'lost', reason: 'The connection to the device is gone.' };
    const reason = `The device failed: ${error.message}`;
    return this.opened ? { kind: 'lost', reason } : { kind: 'refused', reason, code: 'failed' };
  }
}
