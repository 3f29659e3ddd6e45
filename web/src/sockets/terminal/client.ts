import { backoff } from '../../lib/backoff.ts';
import { messages } from '../../lib/messages.ts';
import { terminals } from '../../lib/messages/terminals.ts';
import { Acks } from './acks.ts';
import {
  decodeAccepted,
  decodeExit,
  decodeMoved,
  decodeOutput,
  decodeReason,
  decodeRefusal,
  decodeRegistered,
  encodeInput,
  registerMessage,
} from './codec.ts';
import { EchoClock } from './echo.ts';
import { Emitter } from '../emitter.ts';
import { CONNECT_TIMEOUT_MS } from '../socket.ts';
import type { HubSocket } from '../socket.ts';
import { TicketRefused } from '../ticket.ts';
import type { Ticket } from '../ticket.ts';
import { InputFlow } from './input.ts';
import { consequenceOf } from './refusal.ts';
import type { Registered, RegisterMessage } from './codec.ts';
import { Sharing } from './sharing.ts';
import { OutputStream } from './stream.ts';
import type { Size, TerminalEvents, TerminalOptions, TerminalState, TerminalStatus } from './types.ts';

/** A person is waiting: the waits are shorter than a device's. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;

/** A terminal that survives broken connections. Independent of React and the DOM. */
export class TerminalClient {
  status: TerminalStatus = { state: 'connecting' };
  private readonly events = new Emitter<TerminalEvents>();
  private readonly stream = new OutputStream();
  private readonly typing = new InputFlow(this.events, (input) => this.send(input));
  private readonly echo = new EchoClock();
  private readonly acks = new Acks((offset) => this.socket?.emit('ack', { offset }));
  readonly sharing: Sharing;
  private socket: HubSocket | null = null;
  private device = '';
  private session: string | null;
  private size: Size;
  /** Set once this browser has drawn the terminal; one of an earlier page load has to be drawn from its beginning. */
  private drawing = false;
  private everDrawn = false;
  private failures = 0;
  private refusals = 0;
  private attempt = 0;
  private awaySince: number | null = null;
  /** Another screen shows the terminal now: it reconnects only at the user's request. */
  private left = false;
  private chosen = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: TerminalOptions) {
    this.size = options.size;
    this.session = options.session ?? null;
    this.sharing = new Sharing(this.events, options.asks ?? false);
  }

  subscribe<Name extends keyof TerminalEvents>(
    name: Name,
    listener: (payload: TerminalEvents[Name]) => void,
  ): () => void {
    return this.events.subscribe(name, listener);
  }

  /** Connects; also the handler of Reconnect: attaches to the former terminal if it still exists, otherwise opens a new one. */
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

  /** Ends a running wait at once. */
  retryNow(): void {
    if (this.status.retryAt !== undefined) this.connect();
  }

  /** Sends input, buffered without a connection, to the terminal it was typed for. @returns its end, as in `accepted`; null if unknown */
  input(bytes: Uint8Array): number | null {
    if (!this.sharing.writes) return null;
    if (this.typing.connected) this.echo.typed();
    return this.typing.connected || this.isComing() ? this.typing.type(bytes) : null;
  }

  discardHeld(): void {
    this.typing.discard();
  }

  /** Shows another terminal of the same person from its beginning, also in place of its windows; a new one if none is given. */
  open(session: string | null, takesOver = false): void {
    this.forget();
    this.sharing.choose(takesOver);
    this.typing.clear();
    this.session = session;
    this.chosen = true;
    this.connect();
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

  /** Detaches; the terminal keeps running and can be attached again. */
  detach(): void {
    this.hangUp();
  }

  private dial(ticket: Ticket): void {
    this.device = ticket.device;
    if (ticket.device === '' && this.session) return this.lose('client_disconnect');
    if (ticket.device === '') return this.end('fail', messages.terminal.noDevice);
    const register = this.request('');
    const socket = this.options.openSocket({ token: ticket.token, user: ticket.user, register });
    this.socket = socket;
    socket.on('connect', () => this.register(socket));
    socket.on('connect_error', (error) => this.lose('error', decodeRefusal(error)));
    socket.on('disconnect', () => this.lose('disconnected'));
    const leave = (message: unknown) => this.lose('client_disconnect', decodeReason(message), decodeMoved(message));
    socket.on('client_disconnect', leave);
    socket.on('accepted', (message) => this.typing.accepted(decodeAccepted(message)));
    socket.on('register_status', (message) => this.registered(message));
    socket.on('output', (message) => this.draw(message));
    this.sharing.listen(socket, this.stream, () => this.asking());
    socket.on('exit', (message) => {
      this.forget();
      this.end('exit', undefined, decodeExit(message));
    });
  }

  private register(socket: HubSocket): void {
    this.show({ state: 'wait' });
    this.expire();
    // A hub that has read it from the handshake ignores this one.
    socket.emit('register', { ...this.request(socket.id()), again: true });
  }

  private request(socket: string): RegisterMessage {
    const ids = { device: this.device, socket, writer: this.typing.writer };
    const resume = this.session ? { session: this.session, offset: this.drawing ? this.stream.received : 0 } : null;
    return registerMessage(ids, this.size, resume, this.sharing.request);
  }

  private registered(message: unknown): void {
    const answer = decodeRegistered(message);
    if (!answer.success) return this.refused(answer);
    const same = this.drawing && answer.session === this.session;
    if (same) this.typing.resume(answer.typed);
    else this.begin(answer);
    const back = same && this.awaySince !== null;
    this.awaySince = null;
    this.left = false;
    this.failures = 0;
    this.refusals = 0;
    clearTimeout(this.timer);
    this.acks.restart(this.stream.drawn);
    this.show({ state: 'connected' });
    this.sharing.registered(message);
    this.tellSize();
    this.typing.flush();
    if (back) this.events.emit('back', {});
  }

  private begin({ session, offset, typed }: Registered): void {
    if (this.everDrawn) this.events.emit('fresh', { session, chosen: this.chosen });
    this.typing.begin(typed, !this.drawing);
    this.chosen = false;
    this.session = session;
    this.drawing = true;
    this.everDrawn = true;
    this.stream.begin(offset);
  }

  private refused(answer: Registered): void {
    this.refusals += 1;
    const consequence = consequenceOf(answer, this.refusals);
    if (consequence === 'retry' && this.session) return this.lose('fail', answer.error);
    if (consequence === 'left') {
      this.left = true;
      return this.end('disconnected', answer.code === 'taken_over' ? terminals.takenOver : answer.error);
    }
    const unseen = this.session !== null && !this.drawing && !this.chosen && !this.sharing.asksOwner;
    this.forget();
    // A terminal of an earlier page load that has ended meanwhile was never shown here, so a new one simply takes its place.
    if (unseen && consequence === 'gone') return this.connect();
    const reason = answer.code === 'limit' ? `${answer.error}. ${terminals.limitHint}` : answer.error;
    this.end(answer.code === 'withdrawn' ? 'disconnected' : 'fail', reason);
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

  /** A person decides, which may take any time. */
  private asking(): void {
    clearTimeout(this.timer);
    this.show({ state: 'wait', asking: true });
  }

  /** The connection broke or failed: tries again if there is a terminal to attach to. */
  private lose(state: TerminalState, reason?: string, moved = false): void {
    if (!this.session) {
      this.end(state === 'client_disconnect' ? 'fail' : state, reason);
      return;
    }
    this.hangUp();
    this.awaySince ??= Date.now();
    this.failures += 1;
    if (moved && this.failures === 1) return this.connect();
    const wait = backoff(this.failures, Math.random, FIRST_WAIT_MS, LONGEST_WAIT_MS);
    this.show({ state, ...(reason ? { reason } : {}), retryAt: Date.now() + wait });
    this.timer = setTimeout(() => this.connect(), wait);
  }

  /** Any next step needs the user. */
  private end(state: TerminalState, reason?: string, exit?: TerminalStatus['exit']): void {
    this.hangUp();
    this.awaySince = null;
    this.typing.clear();
    this.show({ state, ...(reason ? { reason } : {}), ...(exit ? { exit } : {}) });
  }

  private forget(): void {
    this.session = null;
    this.drawing = false;
    this.left = false;
    this.chosen = false;
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

  private send(input: Uint8Array): void {
    this.socket?.emit('input', { input: encodeInput(input), client_sid: this.device, browser_sid: this.socket.id() });
  }

  private tellSize(): void {
    const { cols, rows } = this.size;
    this.socket?.emit('resize', { cols, rows, device_sid: this.device, browser_sid: this.socket.id() });
  }

  private show(status: TerminalStatus): void {
    const away = this.awaySince === null ? {} : { away: { since: this.awaySince, tries: this.failures } };
    this.status = { ...status, ...away };
    this.typing.connected = status.state === 'connected';
    this.events.emit('status', this.status);
  }

  /** The terminal that another page may attach to; null when there is none. */
  get resumable(): string | null {
    return this.left || this.sharing.asksOwner ? null : this.session;
  }
}
