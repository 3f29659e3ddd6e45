import { Connection, type Dialled, type Exchange, type Keeper } from './connection.ts';

/** Bounds of {@link Connections}. */
export interface ConnectionLimits {
  /** Connections at the same time; further requests wait for a free one. */
  open: number;
  /** The number of idle ones among them. */
  idle: number;
  /** The idle time of a connection; shorter than the server's. */
  idleMs: number;
}

const NONE_KEPT: ConnectionLimits = { open: 1, idle: 0, idleMs: 0 };

/** A pool of HTTP/1.1 connections to one server; the most recently used one is reused first. */
export class Connections implements Keeper {
  private readonly kept: Connection[] = [];
  private readonly waiting: Exchange[] = [];
  private open = 0;
  private opening = 0;

  /** @param dial makes a connection; its rejection becomes the failure of the request */
  constructor(
    private readonly dial: () => Promise<Dialled>,
    private readonly limits: ConnectionLimits,
  ) {}

  /** Opens a connection for a single request that must not be repeated. */
  static single(dial: () => Promise<Dialled>): Connections {
    return new Connections(dial, NONE_KEPT);
  }

  /** Whether connections are reused. */
  get keeps(): boolean {
    return this.limits.idle > 0;
  }

  /** Whether no connection is open and no request waits. */
  get empty(): boolean {
    return this.open === 0 && this.waiting.length === 0;
  }

  run(exchange: Exchange): void {
    for (let free = this.kept.pop(); free; free = this.kept.pop()) if (!free.destroyed) return free.serve(exchange);
    this.waiting.push(exchange);
    this.refill();
  }

  /** Gives an exchange a connection. */
  cancel(exchange: Exchange): void {
    const index = this.waiting.indexOf(exchange);
    if (index >= 0) this.waiting.splice(index, 1);
  }

  free(connection: Connection): void {
    const next = this.waiting.shift();
    if (next) connection.serve(next);
    else if (this.kept.length < this.limits.idle) this.keep(connection);
    else connection.destroy();
  }

  gone(connection: Connection): void {
    this.open--;
    const index = this.kept.indexOf(connection);
    if (index >= 0) this.kept.splice(index, 1);
    this.refill();
  }

  private refill(): void {
    // Pending dials will serve as many waiting requests.
    if (this.waiting.length <= this.opening || this.open >= this.limits.open) return;
    this.open++;
    this.opening++;
    this.dial().then(
      (dialled) => {
        // A connection that broke meanwhile emits no further event.
        if (dialled.stream.closed) return this.failed(new Error('The connection was closed at once.'));
        this.opening--;
        this.free(new Connection(dialled, this, this.limits.idleMs));
      },
      (error: Error) => this.failed(error),
    );
  }

  private failed(error: Error): void {
    this.open--;
    this.opening--;
    this.waiting.shift()?.failed(error);
    this.refill();
  }

  private keep(connection: Connection): void {
    connection.rest();
    this.kept.push(connection);
  }
}
