import { backoff } from '../../lib/backoff.ts';
import { messages } from '../../lib/messages.ts';
import { Acks } from './acks.ts';
import {
  decodeExit,
  decodeOutput,
  decodeReason,
  decodeRefusal,
  decodeRegistered,
  frames,
  registerMessage,
} from './codec.ts';
import { EchoClock } from './echo.ts';
import { Emitter } from '../emitter.ts';
import { HeldInput } from './held.ts';
import { CONNECT_TIMEOUT_MS } from '../socket.ts';
import type { OpenSocket, SessionSocket } from '../socket.ts';
import { TicketRefused } from '../ticket.ts';
import type { Ticket } from '../ticket.ts';
import { OutputStream } from './stream.ts';
import type { Size, TerminalEvents, TerminalState, TerminalStatus } from './types.ts';

export interface TerminalOptions {
  openSocket: OpenSocket;
  /** Asks for the ticket of one connection; rejects with TicketRefused. */
  ticket: () => Promise<Ticket>;
  size: Size;
  /** A session to come back to, from before the page was loaded. */
  session?: string | null;
}

/** How often a session that the browser has drawn may be refused before it counts as gone. */
const REFUSALS = 3;

/** Somebody is looking at it: the waits stay shorter than a device's. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;

/** A terminal session over one connection after another: the shell stays when the connection breaks. Knows no React and no DOM. */
export class TerminalClient {
  status: TerminalStatus = { state: 'connecting' };
  private readonly events = new Emitter<TerminalEvents>();
  private readonly stream = new OutputStream();
  private readonly heldInput = new HeldInput();
  private readonly echo = new EchoClock();
  private readonly acks = new Acks((offset) => this.socket?.emit('ack', { offset }));
  private socket: SessionSocket | null = null;
  private device = '';
  private session: string | null;
  private size: Size;
  /** Set once this browser has drawn the session; a session from an earlier page has to be drawn from its beginning. */
  private drawing = false;
  private everDrawn = false;
  private failures = 0;
  private refusals = 0;
  private attempt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: TerminalOptions) {
    this.size = options.size;
    this.session = options.session ?? null;
  }

  subscribe<Name extends keyof TerminalEvents>(
    name: Name,
    listener: (payload: TerminalEvents[Name]) => void,
  ): () => void {
    return this.events.subscribe(name, listener);
  }

  /** Connects; also the answer to Reconnect: comes back to the session if there still is one, else opens another. */
  connect(): void {
    this.hangUp();
    const attempt = this.attempt;
    this.show({ state: 'connecting' });
    this.expire();
    this.options.ticket().then(
      (ticket) => attempt === this.attempt && this.dial(ticket),
      (error: unknown) => {
        if (attempt !== this.attempt) return;
        const refused = error instanceof TicketRefused ? error : new TicketRefused(String(error), true);
        if (refused.retry) this.lose('error', refused.message);
        else this.end('error', refused.message);
      },
    );
  }

  /** Does now what a running wait would do later. */
  retryNow(): void {
    if (this.status.retryAt !== undefined) this.connect();
  }

  /** Sends input; while there is no connection it is held back, and goes to no other session than the one it was typed for. */
  input(bytes: Uint8Array): void {
    if (this.status.state === 'connected') {
      this.echo.typed();
      this.send(bytes);
    } else if (this.isComing()) {
      this.heldInput.hold(bytes);
      this.tellHeld();
    }
  }

  discardHeld(): void {
    this.heldInput.take();
    this.tellHeld();
  }

  resize(size: Size): void {
    if (size.cols === this.size.cols && size.rows === this.size.rows) return;
    this.size = size;
    if (this.status.state === 'connected') this.tellSize();
  }

  /** So many more bytes of `output` have been drawn. */
  parsed(bytes: number): void {
    this.stream.drawn += bytes;
    if (this.status.state === 'connected') this.acks.reached(this.stream.drawn);
  }

  /** Leaves without ending the session: it can be come back to. */
  detach(): void {
    this.hangUp();
  }

  /** Ends the session and what runs in it. */
  close(): void {
    this.socket?.emit('close', {});
    this.session = null;
    this.hangUp();
  }

  private dial(ticket: Ticket): void {
    this.device = ticket.device;
    if (ticket.device === '') {
      if (this.session) this.lose('client_disconnect');
      else this.end('fail', messages.terminal.noDevice);
      return;
    }
    const socket = this.options.openSocket({ token: ticket.token, user: ticket.user });
    this.socket = socket;
    socket.on('connect', () => this.register(socket));
    socket.on('connect_error', (error) => this.lose('error', decodeRefusal(error)));
    socket.on('disconnect', () => this.lose('disconnected'));
    socket.on('client_disconnect', (message) => this.lose('client_disconnect', decodeReason(message)));
    socket.on('register_status', (message) => this.registered(message));
    socket.on('output', (message) => this.draw(message));
    socket.on('exit', (message) => {
      this.forget();
      this.end('exit', undefined, decodeExit(message));
    });
  }

  private register(socket: SessionSocket): void {
    this.show({ state: 'wait' });
    this.expire();
    const resume = this.session ? { session: this.session, offset: this.drawing ? this.stream.received : 0 } : null;
    socket.emit('register', registerMessage({ device: this.device, socket: socket.id() }, this.size, resume));
  }

  private registered(message: unknown): void {
    const answer = decodeRegistered(message);
    if (!answer.success) {
      this.refused(answer.error);
      return;
    }
    const same = this.drawing && answer.session === this.session;
    if (!same) this.begin(answer.session, answer.offset);
    this.failures = 0;
    this.refusals = 0;
    clearTimeout(this.timer);
    this.acks.restart(this.stream.drawn);
    this.show({ state: 'connected' });
    this.tellSize();
    for (const part of this.heldInput.take()) this.send(part);
    this.tellHeld();
  }

  private begin(session: string, offset: number): void {
    if (this.everDrawn) this.events.emit('fresh', { session });
    if (this.drawing) this.heldInput.take();
    this.session = session;
    this.drawing = true;
    this.everDrawn = true;
    this.stream.begin(offset);
  }

  private refused(reason: string): void {
    if (this.session && !this.drawing) {
      // A session from an earlier page that has ended meanwhile: nobody has seen it here, so a new one simply takes its place.
      this.forget();
      this.connect();
      return;
    }
    this.refusals += 1;
    if (this.session && this.refusals < REFUSALS) {
      this.lose('fail', reason);
      return;
    }
    this.forget();
    this.end('fail', reason);
  }

  private draw(message: unknown): void {
    const frame = decodeOutput(message);
    if (!frame) return;
    const { bytes, missing } = this.stream.take(frame);
    if (missing > 0) this.events.emit('gap', { bytes: missing });
    if (bytes.length === 0) return;
    const ms = this.echo.answered();
    if (ms !== null) this.events.emit('echo', { ms });
    this.events.emit('output', bytes);
  }

  /** The connection is gone or did not come: try again if there is a session to come back to. */
  private lose(state: TerminalState, reason?: string): void {
    if (!this.session) {
      this.end(state === 'client_disconnect' ? 'fail' : state, reason);
      return;
    }
    this.hangUp();
    this.failures += 1;
    const wait = backoff(this.failures, Math.random, FIRST_WAIT_MS, LONGEST_WAIT_MS);
    this.show({ state, ...(reason ? { reason } : {}), retryAt: Date.now() + wait });
    this.timer = setTimeout(() => this.connect(), wait);
  }

  /** Nothing more happens without the user. */
  private end(state: TerminalState, reason?: string, exit?: TerminalStatus['exit']): void {
    this.hangUp();
    this.heldInput.take();
    this.tellHeld();
    this.show({ state, ...(reason ? { reason } : {}), ...(exit ? { exit } : {}) });
  }

  private forget(): void {
    this.session = null;
    this.drawing = false;
    this.refusals = 0;
  }

  private expire(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.lose('error', messages.terminal.timeout), CONNECT_TIMEOUT_MS);
  }

  private hangUp(): void {
    this.attempt += 1;
    clearTimeout(this.timer);
    this.acks.stop();
    this.echo.reset();
    this.socket?.close();
    this.socket = null;
  }

  private isComing(): boolean {
    const { state, retryAt } = this.status;
    return retryAt !== undefined || state === 'connecting' || state === 'wait';
  }

  private send(bytes: Uint8Array): void {
    const ids = { client_sid: this.device, browser_sid: this.socket?.id() ?? '' };
    for (const input of frames(bytes)) this.socket?.emit('input', { input, ...ids });
  }

  private tellSize(): void {
    const { cols, rows } = this.size;
    this.socket?.emit('resize', { cols, rows, device_sid: this.device, browser_sid: this.socket.id() });
  }

  private tellHeld(): void {
    this.events.emit('held', { keys: this.heldInput.keys, full: this.heldInput.full });
  }

  private show(status: TerminalStatus): void {
    this.status = status;
    this.events.emit('status', status);
  }

  /** The session to come back to from another page; null when there is none. */
  get resumable(): string | null {
    return this.session;
  }
}
