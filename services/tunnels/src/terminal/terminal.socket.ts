import { Logger } from '@nestjs/common';
import type { z } from 'zod';
import { setTimeout as wait } from 'node:timers/promises';
import type { Links } from '../links/links.ts';
import { sessionsOpen, sessionStartSeconds } from '../telemetry/metrics.ts';
import { audit } from '../sockets/audit.ts';
import type { Grant } from '../sockets/grant.ts';
import { Idle } from '../sockets/idle.ts';
import type { OpenSession } from '../sockets/open.sessions.ts';
import { deviceWords, problemOf } from '../sockets/words.ts';
import { Attachment, type Ending } from './attachment.ts';
import { ackMessage, inputMessage, registerMessage, resizeMessage, type Register } from './messages.ts';
import { SocketSink, type BrowserSocket } from './socket.sink.ts';

const END_TIMEOUT_MS = 1_000;

const open = sessionsOpen.labels({ kind: 'terminal' });

/** One browser's socket: at most one terminal at a time, of the device that the token was for. */
export class TerminalSocket implements OpenSession {
  private readonly log = new Logger(TerminalSocket.name);
  private readonly sink: SocketSink;
  private attachment: Attachment | undefined;
  private running: Promise<void> | undefined;
  private session = '';
  private readonly idle: Idle;

  constructor(
    private readonly socket: BrowserSocket,
    readonly grant: Grant,
    private readonly links: Links,
  ) {
    this.sink = new SocketSink(socket);
    this.idle = new Idle(socket);
    const undo = this.sink.onReady(() => this.attachment?.pump());
    socket.on('register', (payload) => this.register(payload));
    socket.on('input', (payload) => this.with(inputMessage, payload, (at, { input }) => at.type(input)));
    socket.on('resize', (payload) => this.with(resizeMessage, payload, (at, size) => at.resize(size)));
    socket.on('ack', (payload) => this.with(ackMessage, payload, (at, { offset }) => at.ack(offset)));
    socket.on('close', () => this.attachment?.end());
    socket.once('disconnect', () => {
      undo();
      this.attachment?.detach();
    });
  }

  /** True while a terminal is attached. */
  get active(): boolean {
    return this.attachment !== undefined;
  }

  /** Ends the terminal and what runs in it, since its user may not go on; then the socket. */
  async withdraw(reason: string): Promise<void> {
    this.audit('terminal.withdrawn', reason);
    this.attachment?.end();
    await Promise.race([this.running, wait(END_TIMEOUT_MS)]);
    this.status(false, reason);
    this.socket.disconnect(true);
  }

  /** Lets the browser come back elsewhere: the terminal lives on at the agent. */
  release(reason: string): void {
    this.socket.emit('client_disconnect', { reason });
    this.socket.disconnect(true);
  }

  private register(payload: unknown): void {
    const parsed = registerMessage.safeParse(payload);
    if (!parsed.success) return this.status(false, problemOf('register', parsed.error));
    if (this.attachment) return this.status(false, 'register: this socket has a terminal already.');
    const link = this.links.get(this.grant.deviceId);
    if (!link?.alive) return this.status(false, `${this.grant.deviceName} is not connected.`);
    this.idle.used();
    const stop = sessionStartSeconds.startTimer({ kind: 'terminal' });
    this.attachment = new Attachment({
      link,
      user: this.grant.user,
      request: parsed.data,
      sink: this.sink,
      onOpened: ({ session, offset }) => {
        stop();
        this.session = deviceWords(session);
        this.status(true, undefined, offset);
        this.audit(parsed.data.session ? 'terminal.resumed' : 'terminal.opened');
      },
      onPressure: (pressed) => this.sink.hold(pressed),
    });
    this.running = this.run(this.attachment, parsed.data);
  }

  private async run(attachment: Attachment, request: Register): Promise<void> {
    open.inc();
    const ending = await attachment.run();
    open.dec();
    this.attachment = undefined;
    this.sink.hold(false);
    this.audit(`terminal.${ending.kind}`, 'reason' in ending ? deviceWords(ending.reason) : undefined);
    if (this.socket.connected) this.tell(ending, request);
    this.idle.unused();
  }

  private tell(ending: Ending, request: Register): void {
    if (ending.kind === 'exit') this.socket.emit('exit', { code: ending.code, signal: deviceWords(ending.signal) });
    if (ending.kind === 'lost') this.socket.emit('client_disconnect', { reason: deviceWords(ending.reason) });
    if (ending.kind === 'refused') {
      this.session = request.session;
      this.status(false, deviceWords(ending.reason), request.offset);
    }
  }

  /** Bad payloads of a running terminal change nothing; the client that sends them is told in the log only. */
  private with<S extends z.ZodType>(
    schema: S,
    payload: unknown,
    use: (at: Attachment, data: z.output<S>) => void,
  ): void {
    if (!this.attachment) return;
    const parsed = schema.safeParse(payload);
    if (parsed.success) return use(this.attachment, parsed.data);
    this.log.debug({ socket: this.socket.id }, problemOf('a message', parsed.error));
  }

  private status(success: boolean, error?: string, offset = 0): void {
    const message = { success, session: this.session, offset };
    this.socket.emit('register_status', error === undefined ? message : { ...message, error });
  }

  private audit(what: string, reason?: string): void {
    audit(this.log, this.grant, what, { session: this.session, reason });
  }
}
