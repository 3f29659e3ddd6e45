import {
  TerminalSizing,
  type TerminalData,
  type TerminalOpened,
  type TerminalOutput,
  type TerminalSnapshot,
} from '@warren/proto/agent/v1/agent';
import type { CallEvents } from '../links/call.ts';
import type { FollowCall, TerminalCall } from '../links/link.calls.ts';
import type { Traffic } from '../metering/usage.meter.ts';
import { carried } from '../sockets/carried.ts';
import type { AttachmentOptions } from './attachment.options.ts';
import { codecFor } from './codec.ts';
import { brokenBy, ENDED, refusedBy, UNRECORDED, type Ending } from './ending.ts';
import { HeldEvents } from './held.events.ts';
import { InputQueue } from './input.ts';
import { OutputPipe } from './output.ts';
import { ScreenUpdates, type Snapshot } from './screen.updates.ts';
import { readerSender, writerSender, type InputSender } from './senders.ts';
import { countOf, sizeOf, type Size } from './size.ts';

const OPEN_TIMEOUT_MS = 5_000;
/** Credit step for a client that does not acknowledge parsed bytes. */
const CREDIT_STEP = 64 * 1024;

const bytesIn = carried('terminal', 'in');
const bytesOut = carried('terminal', 'out');

/** One browser attached to one terminal. The terminal belongs to the agent. */
export class Attachment {
  private readonly input: InputQueue;
  private readonly output: OutputPipe;
  private readonly screen: ScreenUpdates;
  private sender: InputSender | undefined;
  private call: TerminalCall | FollowCall | undefined;
  private ended: ((ending: Ending) => void) | undefined;
  private opened = false;
  private late = false;
  private detached = false;
  /** Output waits for the browser. */
  private isFull = false;
  private ending = false;
  private readonly held = new HeldEvents();
  private credited = 0;
  /** Bytes each way so far. */
  readonly traffic: Traffic;
  /** Bytes that the agent has accepted, not yet acknowledged to the browser. */
  private accepted: number | undefined;

  constructor(private readonly options: AttachmentOptions) {
    const { request, sink } = options;
    this.traffic = options.use;
    this.input = new InputQueue(options.onPressure, () => this.send());
    this.output = new OutputPipe(sink, codecFor(request), (sent) => this.creditFor(sent));
    this.screen = new ScreenUpdates(sink, { ...options.screen, onSnapshot: (snapshot) => this.drawn(snapshot) });
  }

  /** Runs until the terminal, the link or the browser ends it. Never rejects. */
  async run(): Promise<Ending> {
    const timer = setTimeout(() => this.timedOut(), OPEN_TIMEOUT_MS);
    const ending = await new Promise<Ending>((resolve) => {
      this.ended = resolve;
      void this.open();
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

  /** Acknowledges all bytes before this offset, which the browser has parsed. Ignores offsets that were never sent. */
  ack(offset: number): void {
    if (this.options.request.acks) this.credit(Math.min(offset, this.output.sent));
  }

  /** Sends what waits for the browser's socket, which has drained. */
  pump(): void {
    this.pumpScreen();
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

  /** Whether it takes keystrokes. */
  get writes(): boolean {
    return this.options.role !== 'reader';
  }

  /** Whether the device was asked, and may have opened the terminal. */
  get asked(): boolean {
    return this.call !== undefined;
  }

  private async open(): Promise<void> {
    const { request, role, owner: userId, email: userEmail, record } = this.options;
    const { cols, rows, session, offset, writer } = request;
    const join = role === 'writer';
    const size = { cols, rows };
    const from = BigInt(offset);
    const value = { session, offset: from, userId, userEmail, size, term: 'xterm-256color', writer, join, record };
    // First in the queue, whatever is typed meanwhile.
    this.input.push({ case: 'open', value });
    const refusal = await this.options.beforeOpen().then(
      () => undefined,
      () => UNRECORDED,
    );
    if (refusal || this.detached || this.ending) return this.ended?.(refusal ?? { kind: 'detached' });
    const events = {
      message: (output: TerminalOutput) => this.held.handle(() => this.handle(output)),
      writable: () => this.send(),
      ended: (error?: Error) => this.held.handle(() => this.ended?.(this.over(error))),
    };
    try {
      this.start(events);
    } catch (error) {
      return this.ended?.(this.over(error as Error));
    }
    this.send();
  }

  private start(events: CallEvents<TerminalOutput>): void {
    const { link } = this.options;
    if (this.writes) this.sender = writerSender((this.call = link.terminal(events)));
    else this.sender = readerSender((this.call = link.follow(events)));
  }

  /** Sends queued input as far as the link accepts it; the rest merges meanwhile. */
  private send(): void {
    while (this.call?.ready) {
      const kind = this.input.next();
      if (!kind) return;
      this.sender?.(kind);
    }
  }

  /** @throws Error for a message that breaks the protocol, which ends the call */
  private handle({ kind }: TerminalOutput): void {
    switch (kind.case) {
      case 'data':
        return this.show(kind.value);
      case 'opened':
        return this.begin(kind.value);
      case 'exit':
        this.screen.finish();
        this.output.finish();
        return this.ended?.({ kind: 'exit', code: kind.value.code, signal: kind.value.signal });
      case 'refused':
        return this.ended?.(refusedBy(kind.value));
      case 'accepted':
        return this.accept(countOf(kind.value.typed));
      case 'snapshot':
        return this.skip(kind.value);
      case 'size':
        return this.screen.resize(sizeOf(kind.value));
      case undefined:
        // From a newer agent; unknown messages are ignored, as protobuf asks.
        return;
    }
  }

  private show({ data, offset }: TerminalData): void {
    bytesOut(data.length);
    this.options.use.fromDevice(data.length);
    // Output follows the snapshot that it continues.
    this.pumpScreen();
    const room = this.output.push(data, countOf(offset));
    if (!room) return;
    this.isFull = true;
    this.regulate();
    void room.then(() => {
      this.isFull = false;
      this.regulate();
    });
  }

  private skip({ offset, data, size }: TerminalSnapshot): void {
    bytesOut(data.length);
    this.options.use.fromDevice(data.length);
    const at = countOf(offset);
    this.output.skipTo(at);
    this.screen.draw({ offset: at, data, ...sizeOf(size) });
    this.regulate();
  }

  private drawn(snapshot: Snapshot): void {
    this.options.screen.onSnapshot(snapshot);
    if (!this.options.request.acks) this.credit(snapshot.offset);
  }

  private pumpScreen(): void {
    const held = this.screen.holdsSnapshot;
    this.screen.pump();
    if (held) this.regulate();
  }

  /** Reads the agent's stream only while nothing large waits for the browser. */
  private regulate(): void {
    if (this.isFull || this.screen.holdsSnapshot || this.held.holds) this.call?.pause();
    else this.call?.resume();
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

  private begin({ session, offset, typed, joined, size, recording }: TerminalOpened): void {
    if (this.opened) return this.call?.cancel();
    this.opened = true;
    const at = countOf(offset);
    this.output.sent = this.credited = at;
    const count = typed === undefined ? undefined : countOf(typed);
    const shared = joined ? sizeOf(size) : undefined;
    const waits = this.options.onOpened({ session, offset: at, typed: count, size: shared, recording });
    if (waits) void this.waitFor(waits);
  }

  /** Shows what has come meanwhile, unless the terminal is refused; then it ends, as nobody can use it. */
  private async waitFor(opening: Promise<Ending | undefined>): Promise<void> {
    this.held.hold();
    this.regulate();
    const refusal = await opening;
    if (refusal) {
      this.held.drop();
      this.end();
      return this.ended?.(refusal);
    }
    try {
      this.held.release();
      this.regulate();
    } catch {
      this.call?.cancel();
    }
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
    return brokenBy(error, this.options.link, this.opened);
  }
}
