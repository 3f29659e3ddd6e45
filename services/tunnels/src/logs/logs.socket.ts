import { Code, ConnectError } from '@connectrpc/connect';
import { Logger } from '@nestjs/common';
import { once } from 'node:events';
import type { AuditedSession, SessionEnding, SessionTrail } from '../sockets/session.trail.ts';
import type { AgentLink } from '../links/link.ts';
import type { Links } from '../links/links.ts';
import { audit } from '../sockets/audit.ts';
import type { Grant } from '../sockets/grant.ts';
import { Idle } from '../sockets/idle.ts';
import type { LiveGrant } from '../sockets/live.grants.ts';
import { SocketTransport } from '../sockets/transport.ts';
import { deviceSentence, problemOf } from '../sockets/words.ts';
import { sessionBytes, sessionsOpen, sessionStartSeconds } from '../telemetry/metrics.ts';
import { cleanLine, cleanPage, visible } from './clean.ts';
import { olderMessage, watchMessage, type BrowserSocket, type WatchMessage } from './messages.ts';

const LINES = 200;
/** Agents put no more into one message. Empty ones take a hundred times their size as they leave for a browser. */
const LINES_MAX = 1_000;
const TOO_MANY_LINES = `the device sent more than ${LINES_MAX} lines at once`;
const ANSWER_MS = 10_000;
const UNITS_MAX = 500;

const open = sessionsOpen.labels({ kind: 'logs' });
const bytesOut = sessionBytes.labels({ kind: 'logs', direction: 'out' });

/** The socket of one browser: the journal of the token's device, one view at a time. */
export class LogsSocket implements LiveGrant {
  private readonly log = new Logger(LogsSocket.name);
  private readonly transport: SocketTransport;
  private readonly idle: Idle;
  private readonly gone = new AbortController();
  private view: AbortController | undefined;
  private running: Promise<void> = Promise.resolve();
  /** Kinds of requests from the browser in flight: one each. */
  private readonly asking = new Set<string>();
  private audited: AuditedSession | undefined;
  private ending: SessionEnding | undefined;
  lastInputAt = 0;

  constructor(
    private readonly socket: BrowserSocket,
    readonly grant: Grant,
    private readonly parts: { links: Links; trail: Pick<SessionTrail, 'start'> },
  ) {
    this.transport = new SocketTransport(socket);
    this.idle = new Idle(socket);
    socket.on('watch', (payload) => this.watch(payload));
    socket.on('older', (payload) => void this.older(payload));
    socket.on('units', () => void this.units());
    socket.once('disconnect', () => this.leave());
  }

  /** Never active: a view that ends resumes after its last line elsewhere, without loss. */
  get active(): boolean {
    return false;
  }

  async withdraw(reason: string): Promise<void> {
    audit(this.log, this.grant, 'logs.withdrawn', { reason });
    this.leave({ how: 'withdrawn', reason });
    this.socket.emit('failed', { view: 0, reason, retry: false });
    this.socket.disconnect(true);
  }

  release(reason: string): void {
    this.leave();
    this.socket.emit('client_disconnect', { reason });
    this.socket.disconnect(true);
  }

  signOut(reason: string): void {
    audit(this.log, this.grant, 'logs.signed_out');
    this.leave({ how: 'signed_out' });
    this.release(reason);
  }

  /** Records the first reason why it ends, also of a start that is being stored. */
  private leave(ending: SessionEnding = { how: 'left' }): void {
    this.ending ??= ending;
    this.gone.abort();
    this.view?.abort();
    this.audited?.end(this.ending);
  }

  private watch(payload: unknown): void {
    const parsed = watchMessage.safeParse(payload);
    if (!parsed.success)
      return void this.socket.emit('failed', { view: 0, reason: problemOf('watch', parsed.error), retry: false });
    this.lastInputAt = performance.now();
    this.view?.abort();
    const view = (this.view = new AbortController());
    // The previous view releases the device before this one starts.
    this.running = this.running.then(() => this.follow(parsed.data, view.signal));
  }

  private async follow(request: WatchMessage, signal: AbortSignal): Promise<void> {
    const link = this.parts.links.get(this.grant.deviceId);
    if (signal.aborted) return;
    if (!link?.alive) return void this.socket.emit('client_disconnect', { reason: this.away() });
    this.idle.used();
    open.inc();
    const started = this.startTimer();
    try {
      await this.note();
      if (signal.aborted) return;
      await this.read(link, request, AbortSignal.any([signal, link.gone]), started);
      if (!signal.aborted) throw new ConnectError('The device ended the view.', Code.Unavailable);
    } catch (error) {
      if (!signal.aborted) started(this.fail(request.view, link, error) ? 'failed' : 'refused');
    } finally {
      open.dec();
      if (!signal.aborted) this.idle.unused();
    }
  }

  /** Records only the first outcome of a view. */
  private startTimer(): (outcome: 'opened' | 'refused' | 'failed') => void {
    let stop: ReturnType<typeof sessionStartSeconds.startTimer> | undefined = sessionStartSeconds.startTimer();
    return (outcome) => {
      stop?.({ kind: 'logs', outcome });
      stop = undefined;
    };
  }

  private async read(
    link: AgentLink,
    { view, unit, text, after }: WatchMessage,
    signal: AbortSignal,
    started: (outcome: 'opened') => void,
  ): Promise<void> {
    const request = { filter: { unit, text }, after, lines: LINES, userEmail: this.grant.user.email };
    for await (const { kind } of link.agent.watchLogs(request, { signal })) {
      started('opened');
      if ((kind.value?.lines.length ?? 0) > LINES_MAX) throw new ConnectError(TOO_MANY_LINES, Code.FailedPrecondition);
      for (const { message } of kind.value?.lines ?? []) bytesOut.inc(message.length);
      if (kind.case === 'page') this.socket.emit('page', { view, ...cleanPage(kind.value) });
      if (kind.case === 'lines') this.socket.emit('lines', { view, lines: kind.value.lines.flatMap(cleanLine) });
      // A slow browser applies backpressure to the device's reading, and buffers nothing here.
      if (this.transport.busy()) await this.room(signal);
    }
  }

  private async room(signal: AbortSignal): Promise<void> {
    const ready = new EventTarget();
    const undo = this.transport.onReady(() => ready.dispatchEvent(new Event('ready')));
    try {
      if (this.transport.busy()) await once(ready, 'ready', { signal });
    } finally {
      undo();
    }
  }

  private async older(payload: unknown): Promise<void> {
    const parsed = olderMessage.safeParse(payload);
    if (!parsed.success)
      return void this.socket.emit('older_failed', { view: 0, reason: problemOf('older', parsed.error) });
    const { view, unit, text, before } = parsed.data;
    this.lastInputAt = performance.now();
    await this.ask('older', async (link, options) => {
      const page = await link.agent.readLogs({ filter: { unit, text }, before, lines: LINES }, options);
      if (page.lines.length > LINES_MAX) throw new ConnectError(TOO_MANY_LINES, Code.FailedPrecondition);
      this.socket.emit('older', { view, ...cleanPage(page) });
    }).catch((error: unknown) => {
      const { rawMessage } = ConnectError.from(error);
      this.socket.emit('older_failed', { view, reason: deviceSentence(rawMessage) });
    });
  }

  /** Suggestions only; without them the field still accepts a name. */
  private async units(): Promise<void> {
    await this.ask('units', async (link, options) => {
      const { units } = await link.agent.listLogUnits({}, options);
      const names = units.slice(0, UNITS_MAX).filter((name) => name.length <= 255 && visible(name) === name);
      this.socket.emit('units', { units: names });
    }).catch((error: unknown) => this.log.debug({ err: error }, 'The units of a device could not be listed.'));
  }

  /** One request of a kind at a time: ignores further ones meanwhile. */
  private async ask(
    what: string,
    put: (link: AgentLink, options: { signal: AbortSignal; timeoutMs: number }) => Promise<void>,
  ): Promise<void> {
    const link = this.parts.links.get(this.grant.deviceId);
    if (!link?.alive) throw new ConnectError(this.away(), Code.Unavailable);
    if (this.asking.has(what)) return;
    this.asking.add(what);
    try {
      await put(link, { signal: AbortSignal.any([this.gone.signal, link.gone]), timeoutMs: ANSWER_MS });
    } finally {
      this.asking.delete(what);
    }
  }

  /** @returns whether it failed on the way, and was not refused by the device */
  private fail(view: number, link: AgentLink, error: unknown): boolean {
    if (!link.alive) {
      this.socket.emit('client_disconnect', { reason: this.away() });
      return true;
    }
    const { code, rawMessage } = ConnectError.from(error);
    if (code === Code.Unimplemented) {
      const reason = `The agent of ${this.grant.deviceName} is too old to show its logs.`;
      this.socket.emit('failed', { view, reason, retry: false });
      return false;
    }
    const retry = code === Code.ResourceExhausted || code === Code.Unavailable || code === Code.Internal;
    this.socket.emit('failed', { view, reason: deviceSentence(rawMessage), retry });
    return retry;
  }

  /** Audits once per socket: another filter is no other visit. */
  private async note(): Promise<void> {
    if (this.audited) return;
    this.audited = await this.parts.trail.start(this.grant).catch(() => {
      throw new ConnectError('the hub cannot record the opening of the logs at the moment.', Code.Unavailable);
    });
    audit(this.log, this.grant, 'logs.opened');
    if (this.ending) this.audited.end(this.ending);
  }

  private away(): string {
    return `${this.grant.deviceName} is not connected.`;
  }
}
