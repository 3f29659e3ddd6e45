import { LIMITS } from '@warren/rules/limits';
import { backoff } from '../../lib/backoff.ts';
import { desktop as text } from '../../lib/messages/desktop.ts';
import { Emitter } from '../emitter.ts';
import { decodeRecording } from '../recording.ts';
import { CONNECT_TIMEOUT_MS } from '../socket.ts';
import type { OpenSocket, HubSocket } from '../socket.ts';
import { TicketRefused } from '../ticket.ts';
import type { Ticket } from '../ticket.ts';
import { DesktopChannel, streamBytes } from './channel.ts';
import { decodeEnd, decodeRefusal, decodeStatus } from './messages.ts';
import type { DesktopEvents, DesktopProblem, DesktopStatus, DesktopView, ViewEvents } from './types.ts';

export interface DesktopOptions {
  openSocket: OpenSocket;
  /** Requests the ticket of one connection; rejects with TicketRefused. */
  ticket: () => Promise<Ticket>;
  /** Draws the bytes of a channel. */
  view: (channel: DesktopChannel, events: ViewEvents) => DesktopView;
}

/** The device may need time to reach its VNC server. */
const ANSWER_TIMEOUT_MS = 12_000;
const PROBE_MS = 2_000;
/** Much shorter than the idle timeout of a desktop. */
const USED_MS = 30_000;

/** A person is waiting: the waits are shorter than a device's. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;

/** Problems that may be temporary, once there was a desktop. */
const PASSING: readonly DesktopProblem[] = ['offline', 'refused', 'timeout', 'busy', 'gone', 'hub', 'unrecorded'];

/** A desktop over successive connections. Independent of React and the DOM. */
export class DesktopClient {
  status: DesktopStatus = { state: 'connecting' };
  private readonly events = new Emitter<DesktopEvents>();
  private socket: HubSocket | null = null;
  private channel: DesktopChannel | null = null;
  private view: DesktopView | null = null;
  private everConnected = false;
  private failures = 0;
  private attempt = 0;
  private usedAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private probing: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly options: DesktopOptions) {}

  subscribe<Name extends keyof DesktopEvents>(
    name: Name,
    listener: (payload: DesktopEvents[Name]) => void,
  ): () => void {
    return this.events.subscribe(name, listener);
  }

  /** Connects; also the handler of Reconnect. */
  connect(): void {
    this.hangUp();
    const attempt = this.attempt;
    this.show({ state: 'connecting' });
    this.expire(CONNECT_TIMEOUT_MS);
    this.options.ticket().then(
      (ticket) => attempt === this.attempt && this.dial(ticket),
      (error: unknown) => {
        if (attempt !== this.attempt) return;
        const refused = error instanceof TicketRefused ? error : new TicketRefused(String(error), true);
        this.lose('hub', refused.message, refused.retry);
      },
    );
  }

  /** The network or the device is back: ends a running wait, or retries a connection that only waited for that. */
  wake(): void {
    if (this.status.retryAt !== undefined || this.status.problem === 'offline') this.connect();
  }

  /** Reports the person's activity to the hub from time to time, which cannot see it in the bytes. */
  used(): void {
    if (this.status.state !== 'connected' || Date.now() - this.usedAt < USED_MS) return;
    this.usedAt = Date.now();
    this.socket?.emit('used');
  }

  /** Disconnects at the user's request. */
  disconnect(): void {
    if (!this.view || this.status.state === 'disconnecting') return;
    this.show({ state: 'disconnecting' });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(true), LIMITS.desktopDisconnect);
    this.channel?.close();
  }

  /** Disconnects silently. */
  detach(): void {
    this.hangUp();
  }

  private dial(ticket: Ticket): void {
    const { token, user, device } = ticket;
    if (device === '') return this.lose('offline');
    // Specification, section 5: nothing starts without all three.
    if (!token || !user) return this.end(false, 'hub', text.incomplete);
    const socket = this.options.openSocket({ token, user });
    this.socket = socket;
    const ids = () => ({ client_sid: device, browser_sid: socket.id() });
    socket.on('connect', () => {
      this.expire(ANSWER_TIMEOUT_MS);
      socket.emit('start_vnc', { ...ids(), encoding: 'binary' });
    });
    socket.on('connect_error', (error) => this.refused(decodeRefusal(error)));
    socket.on('disconnect', () => this.lose('hub'));
    socket.on('vnc_status', (message) => {
      const { success, code, error } = decodeStatus(message);
      if (success) this.draw(socket, ids);
      else this.lose(code, error);
    });
    socket.on('vnc_stream', (message) => {
      const bytes = streamBytes(message);
      // No timeout while the person signs in.
      if (this.status.state === 'connecting') clearTimeout(this.timer);
      if (bytes) this.channel?.receive(bytes);
    });
    socket.on('recording', (message) => this.events.emit('recording', decodeRecording(message)));
    socket.on('client_disconnect', (message) => {
      const { ended, problem, reason } = decodeEnd(message);
      if (ended) this.channel?.end();
      else this.lose(problem, reason);
    });
  }

  private draw(socket: HubSocket, ids: () => object): void {
    // A VNC server speaks first (RFC 6143, section 7.1.1); any other is no VNC server.
    this.expire(ANSWER_TIMEOUT_MS, 'timeout');
    const attempt = this.attempt;
    const channel = new DesktopChannel({
      send: (data) => socket.emit('vnc_input', { ...ids(), data }),
      closed: () => undefined,
    });
    const mine = (then: () => void) => () => void (attempt === this.attempt && then());
    this.channel = channel;
    this.view = this.options.view(channel, {
      connected: mine(() => this.connected(socket)),
      ended: mine(() => this.end(true, this.status.state === 'disconnecting' ? undefined : 'ended')),
      failed: (problem, reason) =>
        // Leaving before the sign-in is no failure.
        mine(() => (this.status.state === 'disconnecting' ? this.end(true) : this.end(false, problem, reason)))(),
    });
  }

  private connected(socket: HubSocket): void {
    this.everConnected = true;
    this.failures = 0;
    this.show({ state: 'connected' });
    this.probe(socket);
    this.probing = setInterval(() => this.probe(socket), PROBE_MS);
  }

  private probe(socket: HubSocket): void {
    const since = performance.now();
    const attempt = this.attempt;
    socket.emit('probe', undefined, () => {
      if (attempt === this.attempt) this.events.emit('latency', { ms: performance.now() - since });
    });
  }

  private refused({ code, reason }: { code: string; reason: string | undefined }): void {
    // Permanent: the token is invalid, or the permission is missing.
    const final = code === 'permission_denied' || code === 'not_found' || code === 'invalid_argument';
    this.lose('hub', reason, !final);
  }

  /** The connection broke or failed: tries again when that can help and the desktop has been shown before. */
  private lose(problem: DesktopProblem, reason?: string, retry = true): void {
    if (!retry || !this.everConnected || !PASSING.includes(problem)) return this.end(false, problem, reason);
    this.hangUp();
    this.failures += 1;
    const wait = backoff(this.failures, Math.random, FIRST_WAIT_MS, LONGEST_WAIT_MS);
    this.show({ ...down(false, problem, reason), retryAt: Date.now() + wait });
    this.timer = setTimeout(() => this.connect(), wait);
  }

  /** Any next step needs the user. */
  private end(clean: boolean, problem?: DesktopProblem, reason?: string): void {
    this.hangUp();
    this.show(down(clean, problem, reason));
  }

  private expire(ms: number, problem: DesktopProblem = 'hub'): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.lose(problem, text.timeout), ms);
  }

  private hangUp(): void {
    this.attempt += 1;
    clearTimeout(this.timer);
    clearInterval(this.probing);
    this.view?.close();
    this.view = null;
    this.channel = null;
    this.socket?.close();
    this.socket = null;
    this.events.emit('recording', null);
  }

  private show(status: DesktopStatus): void {
    this.status = status;
    this.events.emit('status', status);
  }
}

function down(clean: boolean, problem: DesktopProblem | undefined, reason: string | undefined): DesktopStatus {
  return { state: 'disconnected', clean, ...(problem && { problem }), ...(reason && { reason }) };
}
