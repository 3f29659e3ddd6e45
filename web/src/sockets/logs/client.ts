import { withoutPrefix } from '../../lib/api/errors.ts';
import { backoff } from '../../lib/backoff.ts';
import type { OpenSocket, HubSocket } from '../socket.ts';
import { TicketRefused } from '../ticket.ts';
import type { Ticket } from '../ticket.ts';
import { isEmptyJournal, linesOf, mayRetry, pageOf, reasonOf, unitsOf, viewOf } from './codec.ts';
import type { LogLine, LogPage } from './codec.ts';
import { append, hasRoom, NO_LINES, prepend, trim } from './lines.ts';
import type { Lines } from './lines.ts';

export interface LogFilter {
  unit: string;
  text: string;
}

/** `lost`: reconnects at `retryAt`; `failed`: the next step needs the user. */
export type LogsStatus =
  | { state: 'connecting' | 'live' }
  | { state: 'lost'; reason: string; retryAt: number }
  | { state: 'failed'; reason: string };

/** The displayed state of a journal; a new object at each change. */
export interface LogsSnapshot extends Lines {
  status: LogsStatus;
  /** Whether the first page of the current filter has arrived. */
  loaded: boolean;
  /** Whether an older page is loading; why the last one failed. */
  loadingOlder: boolean;
  olderFailed: string;
  /** How far back a text was searched; null without a search. */
  reached: string | null;
  notice: string;
  units: string[];
}

export interface LogsOptions {
  openSocket: OpenSocket;
  /** Requests the ticket of one connection; rejects with TicketRefused. */
  ticket: () => Promise<Ticket>;
}

/** Lines within this time are shown in one batch. */
const BATCH_MS = 60;
/** After a longer break the newest lines matter more than those in between. */
const CATCH_UP_MS = 5 * 60_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;
/** The polling interval of an empty journal. */
const EMPTY_MS = 5_000;

const START: Omit<LogsSnapshot, 'units' | 'status'> = {
  ...NO_LINES,
  loaded: false,
  loadingOlder: false,
  olderFailed: '',
  reached: null,
  notice: '',
};

/** A device's journal over successive connections. Independent of React and the DOM. */
export class LogsClient {
  snapshot: LogsSnapshot = { ...START, units: [], status: { state: 'connecting' } };
  private readonly listeners = new Set<() => void>();
  private filter: LogFilter = { unit: '', text: '' };
  private following = true;
  private view = 0;
  private socket: HubSocket | null = null;
  private attempt = 0;
  private failures = 0;
  private lostAt = 0;
  private batch: LogLine[] = [];
  private batchTimer: ReturnType<typeof setTimeout> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: LogsOptions) {}

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  connect(): void {
    this.hangUp();
    const attempt = this.attempt;
    this.show({ status: { state: 'connecting' } });
    this.options.ticket().then(
      (ticket) => attempt === this.attempt && this.dial(ticket),
      (error: unknown) => {
        if (attempt !== this.attempt) return;
        const refused = error instanceof TicketRefused ? error : new TicketRefused(String(error), true);
        if (refused.retry) this.lose(refused.message);
        else this.fail(refused.message);
      },
    );
  }

  /** Ends a running wait at once. */
  retryNow(): void {
    if (this.snapshot.status.state === 'lost') this.connect();
  }

  /** Changes the filter, and starts from the newest line. */
  choose(filter: LogFilter): void {
    this.filter = filter;
    this.restart();
  }

  /** Sets whether the view follows the newest line. */
  follow(following: boolean): void {
    this.following = following;
    if (following) this.show(trim(this.snapshot));
  }

  /** Returns to the newest line. */
  latest(): void {
    this.following = true;
    if (this.snapshot.missed) this.restart();
    else this.follow(true);
  }

  loadOlder(): void {
    const { older, loadingOlder, status } = this.snapshot;
    if (older === '' || loadingOlder || status.state !== 'live' || !hasRoom(this.snapshot)) return;
    this.show({ loadingOlder: true, olderFailed: '' });
    this.socket?.emit('older', { view: this.view, ...this.filter, before: older });
  }

  /** Requests the current list of units. */
  loadUnits(): void {
    this.socket?.emit('units');
  }

  close(): void {
    this.hangUp();
  }

  private restart(): void {
    this.forget();
    this.show(START);
    if (this.snapshot.status.state === 'failed') this.connect();
    else if (this.snapshot.status.state === 'live') this.watch();
  }

  private dial({ token, user, device }: Ticket): void {
    if (device === '') return this.lose('');
    const socket = this.options.openSocket({ token, user });
    this.socket = socket;
    socket.on('connect', () => {
      this.show({ status: { state: 'live' } });
      this.watch();
    });
    socket.on('connect_error', (error) => this.lose(error instanceof Error ? withoutPrefix(error.message) : ''));
    socket.on('disconnect', () => this.lose(''));
    socket.on('client_disconnect', (message) => this.lose(reasonOf(message)));
    socket.on('page', (message) => this.isPresent(message) && this.begin(pageOf(message)));
    socket.on('lines', (message) => this.isPresent(message) && this.addToBatch(linesOf(message)));
    socket.on('older', (message) => this.isPresent(message) && this.addOlder(pageOf(message)));
    socket.on('older_failed', (message) => this.show({ loadingOlder: false, olderFailed: reasonOf(message) }));
    socket.on('units', (message) => this.show({ units: unitsOf(message) }));
    socket.on('failed', (message) => {
      if (viewOf(message) !== 0 && !this.isPresent(message)) return;
      if (isEmptyJournal(message)) this.beginEmpty();
      else if (mayRetry(message)) this.lose(reasonOf(message));
      else this.fail(reasonOf(message));
    });
  }

  /** @param again keeps the shown lines until the answer arrives */
  private watch(again = false): void {
    clearTimeout(this.timer);
    const last = this.snapshot.list.at(-1);
    const caughtUp = this.lostAt === 0 || Date.now() - this.lostAt < CATCH_UP_MS;
    const after = last && caughtUp && !this.snapshot.missed ? last.cursor : '';
    this.lostAt = 0;
    this.view += 1;
    if (after === '' && !again) this.show(START);
    this.show({ loadingOlder: false });
    this.socket?.emit('watch', { view: this.view, ...this.filter, after });
  }

  private isPresent(message: unknown): boolean {
    this.failures = 0;
    return viewOf(message) === this.view;
  }

  private begin({ lines: list, older, reached, notice }: LogPage): void {
    this.forget();
    this.show({ ...START, list, older, reached, notice, loaded: true });
  }

  /** An empty journal is no failure: lines may come. */
  private beginEmpty(): void {
    this.begin(pageOf({}));
    this.timer = setTimeout(() => this.watch(true), EMPTY_MS);
  }

  private addToBatch(fresh: LogLine[]): void {
    this.batch.push(...fresh);
    this.batchTimer ??= setTimeout(() => this.take(), BATCH_MS);
  }

  private take(): void {
    const fresh = this.batch;
    this.forget();
    this.show(append(this.snapshot, fresh, this.following));
  }

  private addOlder(page: LogPage): void {
    this.show({ ...prepend(this.snapshot, page), loadingOlder: false, reached: page.reached });
  }

  private forget(): void {
    clearTimeout(this.batchTimer);
    this.batchTimer = undefined;
    this.batch = [];
  }

  /** Shows the batch at once: the next connection resumes after it. */
  private lose(reason: string): void {
    if (this.batch.length > 0) this.take();
    this.hangUp();
    this.failures += 1;
    this.lostAt ||= Date.now();
    const wait = backoff(this.failures, Math.random, FIRST_WAIT_MS, LONGEST_WAIT_MS);
    this.show({ status: { state: 'lost', reason, retryAt: Date.now() + wait } });
    this.timer = setTimeout(() => this.connect(), wait);
  }

  private fail(reason: string): void {
    this.hangUp();
    this.show({ status: { state: 'failed', reason } });
  }

  private hangUp(): void {
    this.attempt += 1;
    clearTimeout(this.timer);
    this.forget();
    this.socket?.close();
    this.socket = null;
  }

  private show(change: Partial<LogsSnapshot>): void {
    this.snapshot = { ...this.snapshot, ...change };
    for (const listener of this.listeners) listener();
  }
}
