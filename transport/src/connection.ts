import type { Duplex } from 'node:stream';
import { answerParser } from './answer.parser.ts';
import type { AnswerHead, AnswerListener } from './answer.ts';
import type { Intake } from './intake.ts';
import type { Carried } from './pump.ts';

/** One request and its response. */
export interface Exchange extends Omit<AnswerListener, 'begin' | 'broken'> {
  /** Whether the response has no body whatever its head says. */
  readonly bodiless: boolean;
  /** Where its bytes are counted; undefined if they are not. */
  readonly carried: Carried | undefined;
  /** The connection is established: the request can be written. */
  connected(connection: Connection): void;
  /** More of the request can be written. */
  drained(): void;
  /** These two calls enclose the events of one read. */
  cork(): void;
  /** @returns whether its memory is free again */
  uncork(): boolean;
  /** The response will stay incomplete. */
  failed(error: Error, connection?: Connection): void;
}

/** A new connection, and how to read it other than by its events. */
export interface Dialled {
  stream: Duplex;
  intake?: Intake;
  /** Called with the number of body chunks in one read. */
  pieces?: (count: number) => void;
  /** Called with the count of each exchange before its first byte. */
  serves?: (carried: Carried | undefined) => void;
}

/** Keeps idle connections. */
export interface Keeper {
  /** The connection is free for another exchange. */
  free(connection: Connection): void;
  gone(connection: Connection): void;
}

/** An HTTP/1.1 connection to the next hop, used for one exchange at a time. */
export class Connection implements AnswerListener {
  /** Whether it has carried an earlier exchange: the server may have closed it since. */
  reused = false;
  private readonly stream: Duplex;
  private readonly intake: Intake | undefined;
  private readonly reportPieces: Dialled['pieces'];
  private readonly serves: Dialled['serves'];
  private pieces = 0;
  private readonly parser = answerParser(this);
  /** While one read is being parsed. */
  private taking = false;
  private exchange: Exchange | undefined;
  private keeps = false;
  private complete = false;
  private answered = false;
  private stray = false;
  private paused = false;
  private error: Error | undefined;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    { stream, intake, pieces, serves }: Dialled,
    private readonly keeper: Keeper,
    private readonly idleMs: number,
  ) {
    this.stream = stream;
    this.intake = intake;
    this.reportPieces = pieces;
    this.serves = serves;
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
    this.parser.expect();
    this.serves?.(exchange.carried);
    exchange.connected(this);
  }

  /** The request is complete. Without this call, the connection ends with the response. */
  sent(): void {
    this.complete = true;
  }

  /** @returns false to wait for `drained`. Bytes only: mixed with strings, Node's HTTP/2 sends memory that it has already freed. */
  write(...pieces: Buffer[]): boolean {
    const { stream } = this;
    const [only] = pieces;
    if (only && pieces.length === 1) return stream.write(only);
    stream.cork();
    for (const piece of pieces) stream.write(piece);
    stream.uncork();
    return !stream.writableNeedDrain;
  }

  /** Stops reading until `resume`. */
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
    this.inOne((exchange) => exchange.head(head));
  }

  body(piece: Buffer): void {
    this.pieces++;
    this.inOne((exchange) => exchange.body(piece));
  }

  end(): void {
    const { exchange } = this;
    this.exchange = undefined;
    this.answered = true;
    exchange?.end();
    if (!this.taking) this.settle();
  }

  broken(error: Error): void {
    this.destroy(error);
  }

  /** Marks the connection as idle. One timer serves its whole life; it does nothing while the connection is in use. */
  rest(): void {
    if (this.idle) return void this.idle.refresh();
    this.idle = setTimeout(() => this.exchange ?? this.destroy(), this.idleMs).unref();
  }

  /** Events outside a read are batched separately. */
  private inOne(work: (exchange: Exchange) => void): void {
    const { exchange } = this;
    if (!exchange) return;
    if (this.taking) return work(exchange);
    exchange.cork();
    work(exchange);
    exchange.uncork();
  }

  /** @returns whether its memory is free again */
  private take(piece: Buffer): boolean {
    const { exchange } = this;
    // Unsolicited bytes.
    if (!exchange) {
      this.destroy();
      return true;
    }
    exchange.cork();
    this.pieces = 0;
    this.taking = true;
    this.parser.take(piece);
    this.taking = false;
    const free = exchange.uncork();
    if (this.pieces > 1) this.reportPieces?.(this.pieces);
    if (this.answered) this.settle();
    return free;
  }

  /** After the whole read has been parsed: bytes behind the response must not become the response to the next request. */
  private settle(): void {
    const { keeps, complete, stray, destroyed, parser } = this;
    if (!keeps || !complete || stray || destroyed || !parser.reusable) return this.destroy();
    if (this.paused) this.resume();
    this.reused = true;
    this.keeper.free(this);
  }

  /** A response without a length ends with its connection. */
  private finish(): void {
    // A stream other than a socket does not close by itself.
    if (!this.exchange) return void this.stream.destroy();
    this.parser.finish((error) => this.destroy(error));
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
