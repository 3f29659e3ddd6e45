import type { Duplex } from 'node:stream';
import { AnswerParser, type AnswerHead, type AnswerListener } from './answer.parser.ts';
import type { Intake } from './intake.ts';

/** One request and its answer. */
export interface Exchange extends Omit<AnswerListener, 'begin'> {
  /** Whether the answer has no body whatever it says. */
  readonly bodiless: boolean;
  /** The connection is there: the request can be written. */
  connected(connection: Connection): void;
  /** More of the request can be written. */
  drained(): void;
  /** What one read has brought is between these two. */
  cork(): void;
  /** @returns whether none of it is needed any more */
  uncork(): boolean;
  /** There will be no whole answer. */
  failed(error: Error, connection?: Connection): void;
}

/** A new connection, and how it is read where that is not by its events. */
export interface Dialled {
  stream: Duplex;
  intake?: Intake;
  /** Told how many pieces of a body one read was, by chunks of its sender. */
  pieces?: (count: number) => void;
}

/** Who keeps connections. */
export interface Keeper {
  /** It may be used for another exchange. */
  free(connection: Connection): void;
  gone(connection: Connection): void;
}

/** An HTTP/1.1 connection to the next hop, used for one exchange at a time. */
export class Connection implements AnswerListener {
  /** Whether an exchange before this one has used it: it may have been closed before it was read. */
  reused = false;
  private readonly stream: Duplex;
  private readonly intake: Intake | undefined;
  private readonly told: Dialled['pieces'];
  private pieces = 0;
  private readonly parser = new AnswerParser(this);
  private exchange: Exchange | undefined;
  private keeps = false;
  private complete = false;
  private answered = false;
  private stray = false;
  private paused = false;
  private error: Error | undefined;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    { stream, intake, pieces }: Dialled,
    private readonly keeper: Keeper,
    private readonly idleMs: number,
  ) {
    this.stream = stream;
    this.intake = intake;
    this.told = pieces;
    if (intake) intake.open((bytes) => this.take(bytes));
    else stream.on('data', (piece: Buffer) => this.take(piece));
    stream.on('drain', () => this.exchange?.drained());
    stream.on('error', (error) => (this.error ??= error));
    stream.once('end', () => this.finish());
    stream.once('close', () => this.closed());
  }

  get destroyed(): boolean {
    return this.stream.destroyed;
  }

  /** Uses the connection. */
  serve(exchange: Exchange): void {
    this.exchange = exchange;
    this.complete = false;
    this.answered = false;
    this.parser.bodiless = exchange.bodiless;
    exchange.connected(this);
  }

  /** The request is written. Without this, the connection ends with the answer. */
  sent(): void {
    this.complete = true;
  }

  /** @returns false to wait for `drained`. Bytes only: given texts besides, Node's HTTP/2 sends memory that it has given back. */
  write(...pieces: Buffer[]): boolean {
    const { stream } = this;
    const [only] = pieces;
    if (only && pieces.length === 1) return stream.write(only);
    stream.cork();
    for (const piece of pieces) stream.write(piece);
    stream.uncork();
    return !stream.writableNeedDrain;
  }

  /** Takes nothing more until `resume`. */
  pause(): void {
    this.paused = true;
    this.stream.pause();
  }

  resume(): void {
    this.paused = false;
    this.stream.resume();
  }

  destroy(error?: Error): void {
    this.error ??= error;
    this.stream.destroy();
  }

  begin(): void {
    this.stray ||= this.answered;
  }

  information(head: AnswerHead): void {
    this.exchange?.information(head);
  }

  head(head: AnswerHead): void {
    this.keeps = head.keeps;
    this.exchange?.head(head);
  }

  body(piece: Buffer): void {
    this.pieces++;
    this.exchange?.body(piece);
  }

  end(): void {
    const { exchange } = this;
    this.exchange = undefined;
    this.answered = true;
    exchange?.end();
  }

  /** Nobody needs it now. There is one timer for its life, which a connection in use lets pass. */
  rest(): void {
    if (this.idle) return void this.idle.refresh();
    this.idle = setTimeout(() => this.exchange ?? this.destroy(), this.idleMs).unref();
  }

  /** @returns whether none of it is needed any more */
  private take(piece: Buffer): boolean {
    const { exchange } = this;
    // Nobody has asked.
    if (!exchange) {
      this.destroy();
      return true;
    }
    exchange.cork();
    this.pieces = 0;
    const wrong = this.parser.take(piece);
    const free = exchange.uncork();
    if (this.pieces > 1) this.told?.(this.pieces);
    if (wrong) this.destroy(wrong);
    else if (this.answered) this.settle();
    return free;
  }

  /** Once all that was read has been looked at: what a server says behind its answer must not become the answer to the next request. */
  private settle(): void {
    if (!this.keeps || !this.complete || this.stray || this.destroyed) return this.destroy();
    if (this.paused) this.resume();
    this.reused = true;
    this.keeper.free(this);
  }

  /** An answer without a length ends with its connection. */
  private finish(): void {
    if (this.exchange) this.error ??= this.parser.finish();
    // A stream that is no socket does not close by itself.
    this.stream.destroy();
  }

  private closed(): void {
    clearTimeout(this.idle);
    const { exchange } = this;
    this.exchange = undefined;
    this.parser.close();
    this.intake?.close();
    this.keeper.gone(this);
    exchange?.failed(this.error ?? new Error('The connection was closed.'), this);
  }
}
