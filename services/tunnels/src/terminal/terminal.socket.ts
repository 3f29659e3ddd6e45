import { Logger } from '@nestjs/common';
import { UsageKind } from '@warren/proto/events/v1/events';
import type { z } from 'zod';
import { setTimeout as wait } from 'node:timers/promises';
import type { KeptTerminals } from '../sockets/kept.terminals.ts';
import type { SessionTrail } from '../sockets/session.trail.ts';
import type { AgentLink } from '../links/link.ts';
import type { Links } from '../links/links.ts';
import type { UsageMeter } from '../metering/usage.meter.ts';
import { sessionsOpen, sessionStartSeconds } from '../telemetry/metrics.ts';
import { audit } from '../sockets/audit.ts';
import type { Grant } from '../sockets/grant.ts';
import { Idle } from '../sockets/idle.ts';
import type { LiveGrant } from '../sockets/live.grants.ts';
import { deviceWords, problemOf } from '../sockets/words.ts';
import { Attachment } from './attachment.ts';
import type { AttachmentRole, Opened } from './attachment.options.ts';
import type { Ending } from './ending.ts';
import { Membership, type DismissalCode, type MembershipParts } from './membership.ts';
import {
  ackMessage,
  inputMessage,
  isRepeated,
  registerMessage,
  resizeMessage,
  sizingMessage,
  type LeaveCode,
  type RefusalCode,
  type Register,
  type RegisterStatus,
  type RoomRole,
} from './messages.ts';
import type { RecordedTerminals } from '../recordings/recorded.terminals.ts';
import { SocketRecording } from './socket.recording.ts';
import { SocketSink, type BrowserSocket } from './socket.sink.ts';
import { TerminalTrail } from './terminal.trail.ts';

const END_TIMEOUT_MS = 1_000;

/** The dependencies of a terminal socket. */
export interface TerminalParts extends MembershipParts {
  links: Links;
  meter: UsageMeter;
  trail: Pick<SessionTrail, 'request'>;
  kept: Pick<KeptTerminals, 'end'>;
  recorded: RecordedTerminals;
}

const open = sessionsOpen.labels({ kind: 'terminal' });

/** The socket of one browser: at most one terminal at a time, of the token's device. */
export class TerminalSocket implements LiveGrant {
  private readonly log = new Logger(TerminalSocket.name);
  private readonly sink: SocketSink;
  private attachment: Attachment | undefined;
  private running: Promise<void> | undefined;
  private session = '';
  private readonly idle: Idle;
  readonly membership: Membership;
  private readonly recording: SocketRecording;
  private readonly trail: TerminalTrail;
  private withdrawn = false;
  lastInputAt = 0;

  constructor(
    private readonly socket: BrowserSocket,
    readonly grant: Grant,
    private readonly parts: TerminalParts,
  ) {
    this.sink = new SocketSink(socket);
    this.idle = new Idle(socket);
    this.trail = new TerminalTrail(grant, parts.trail);
    this.recording = new SocketRecording(socket, grant, parts.recorded);
    this.membership = new Membership(socket, grant, parts, {
      changeRole: () => this.release('Your part in this terminal has changed.', 'moved'),
      dismiss: (why, reason) => this.dismiss(why, reason),
    });
    const undo = this.sink.onReady(() => this.attachment?.pump());
    // A `register` in the handshake saves the browser a round trip. It repeats it as an event, for a hub that ignores the handshake's.
    const { register } = socket.handshake.auth;
    socket.on('register', (payload) => {
      if (register === undefined || !isRepeated(payload)) this.register(payload);
    });
    socket.on('input', (payload) => this.with(inputMessage, payload, (at, { input }) => this.type(at, input)));
    socket.on('resize', (payload) => this.with(resizeMessage, payload, (at, size) => at.resize(size)));
    socket.on('ack', (payload) => this.with(ackMessage, payload, (at, { offset }) => at.ack(offset)));
    socket.on('sizing', (payload) =>
      this.with(sizingMessage, payload, (at, { mine }) => this.membership.size(at, mine)),
    );
    socket.on('close', () => this.membership.owns && this.attachment?.end());
    socket.once('disconnect', () => {
      undo();
      this.membership.leave();
      this.leave();
    });
    if (register !== undefined) this.register(register);
  }

  /** True while a terminal is attached. */
  get active(): boolean {
    return this.attachment !== undefined;
  }

  /** Ends the terminal and its programs, because its user has lost the right; then the socket. */
  async withdraw(reason: string): Promise<void> {
    this.audit('terminal.withdrawn', reason);
    this.trail.note('withdrawn', reason);
    // Before the exit that follows: the user needs to see why the shell ended.
    this.refuse('withdrawn', reason);
    this.withdrawn = true;
    // People who joined leave the owner's programs running.
    if (this.membership.owns) this.endTerminal(reason);
    else this.attachment?.detach();
    await Promise.race([this.running, wait(END_TIMEOUT_MS)]);
    this.socket.disconnect(true);
  }

  /** Makes the browser reconnect elsewhere: the terminal lives on at the agent. */
  release(reason: string, code: LeaveCode = 'restarting'): void {
    this.socket.emit('client_disconnect', { reason, code });
    this.socket.disconnect(true);
  }

  signOut(reason: string): void {
    // The reason of a withdrawal was shown already.
    if (this.withdrawn) return;
    this.audit('terminal.signed_out');
    this.trail.note('signed_out');
    this.release(reason, 'signed_out');
  }

  /** The terminal of a user lives on at the agent; that of a guest ends, as nobody could end it later. */
  private leave(): void {
    const { attachment } = this;
    if (!this.grant.user.guest || this.withdrawn) return attachment?.detach();
    attachment?.end();
    setTimeout(() => attachment?.detach(), END_TIMEOUT_MS).unref();
  }

  /** Ends the owner's programs, also of an owner who has handed over control. */
  private endTerminal(reason: string): void {
    const { attachment, session } = this;
    attachment?.end();
    // By reading alone, or before its device is asked, an attachment ends nothing. An empty id would mean all terminals.
    if (!attachment || session === '' || (attachment.writes && attachment.asked)) return;
    const { userId } = this.membership.owner;
    void this.parts.kept.end(this.grant.deviceId, { userId, session }, reason);
  }

  private type(at: Attachment, input: string | Buffer): void {
    this.lastInputAt = performance.now();
    at.type(input);
    this.membership.typed();
  }

  private register(payload: unknown): void {
    const parsed = registerMessage.safeParse(payload);
    if (!parsed.success) return this.refuse('invalid', problemOf('register', parsed.error));
    if (this.attachment || this.membership.waits)
      return this.refuse('busy', 'register: this socket has a terminal already.');
    this.session = parsed.data.session;
    this.membership.begin(parsed.data, (role) => this.attach(parsed.data, role));
    // A person decides, which may take any time.
    if (this.membership.waits) this.idle.used();
  }

  private attach(request: Register, role: AttachmentRole): void {
    const link = this.parts.links.get(this.grant.deviceId);
    if (!link?.alive) {
      this.idle.unused();
      return this.refuse('not_connected', `${this.grant.deviceName} is not connected.`);
    }
    const refusal = request.session === '' ? this.recording.refusal : undefined;
    if (refusal) return this.notify(refusal, request);
    this.idle.used();
    const stop = sessionStartSeconds.startTimer({ kind: 'terminal' });
    let started = false;
    const use = this.parts.meter.use(this.grant.deviceAccountId, UsageKind.TERMINAL);
    this.attachment = new Attachment({
      link,
      owner: this.membership.owner.userId,
      email: this.membership.person.email,
      role,
      request,
      record: this.recording.mode,
      sink: this.sink,
      use,
      beforeOpen: () => this.trail.request(this.membership.observes),
      onOpened: (opened) => {
        stop({ outcome: 'opened' });
        started = true;
        use.begin();
        return this.opening(request, role, { opened, link });
      },
      onAccepted: (typed) => this.socket.emit('accepted', { typed }),
      screen: {
        onSnapshot: (snapshot) => this.socket.emit('snapshot', snapshot),
        onSize: (size) => this.socket.emit('size', size),
      },
      onPressure: (pressed) => this.sink.hold(pressed),
    });
    this.running = this.run(this.attachment, request, link).then((ending) => {
      use.end();
      const outcome = started ? undefined : outcomeOf(ending);
      if (outcome) stop({ outcome });
    });
  }

  /** Shows a terminal as open when it may be: one that has to be recorded waits for its recorder. */
  private opening(request: Register, role: AttachmentRole, { opened, link }: { opened: Opened; link: AgentLink }) {
    const recording = this.recording.opened({ opened, request, role, link, people: this.membership });
    if (!recording) this.opened(request, role, opened);
    return recording?.then((refusal) => {
      if (!refusal && this.attachment) this.opened(request, role, opened);
      return refusal;
    });
  }

  private opened(request: Register, as: AttachmentRole, { session, offset, typed, size }: Opened): void {
    this.session = deviceWords(session);
    const role: RoomRole = as === 'reader' ? 'reader' : 'writer';
    const shared = size && { size, role };
    this.status({ success: true, session: this.session, offset, ...(typed === undefined ? {} : { typed }), ...shared });
    const resumed = request.session !== '';
    this.audit(resumed ? 'terminal.resumed' : 'terminal.opened');
    this.trail.opened({ terminal: this.session, resumed, ...this.membership.partAs(role) });
    if (as === 'only') this.membership.takeOver(this.session);
    else if (shared) this.membership.enter(this.session, role);
  }

  private dismiss(code: DismissalCode, reason: string): void {
    this.refuse(code, reason);
    if (!this.attachment) return this.idle.unused();
    this.trail.note(code, reason);
    this.attachment.detach();
    this.socket.disconnect(true);
  }

  private async run(attachment: Attachment, request: Register, link: AgentLink): Promise<Ending> {
    const moved = () => this.release('The device has reconnected.', 'moved');
    link.superseded.addEventListener('abort', moved, { once: true });
    open.inc();
    const ending = await attachment.run();
    open.dec();
    link.superseded.removeEventListener('abort', moved);
    const reason = 'reason' in ending ? deviceWords(ending.reason) : undefined;
    this.audit(`terminal.${ending.kind}`, reason);
    this.trail.over(ending, attachment);
    this.attachment = undefined;
    this.membership.leave();
    this.recording.leave();
    this.sink.hold(false);
    if (this.socket.connected && !this.withdrawn) this.notify(ending, request);
    this.idle.unused();
    return ending;
  }

  private notify(ending: Ending, request: Register): void {
    if (ending.kind === 'exit') this.socket.emit('exit', { code: ending.code, signal: deviceWords(ending.signal) });
    if (ending.kind === 'lost')
      this.socket.emit('client_disconnect', { reason: deviceWords(ending.reason), code: 'lost' });
    if (ending.kind === 'refused') {
      this.session = request.session;
      this.refuse(ending.code, deviceWords(ending.reason), request.offset);
    }
  }

  /** Ignores bad payloads of a running terminal, and logs them. */
  private with<S extends z.ZodType>(
    schema: S,
    payload: unknown,
    use: (at: Attachment, data: z.output<S>) => void,
  ): void {
    if (!this.attachment) return;
    const parsed = schema.safeParse(payload);
    if (parsed.success) return use(this.attachment, parsed.data);
    this.log.debug({ socket: this.socket.id, problem: problemOf('a message', parsed.error) }, 'A message is invalid.');
  }

  private refuse(code: RefusalCode, error: string, offset = 0): void {
    this.status({ success: false, session: this.session, offset, error, code });
  }

  private status(message: RegisterStatus): void {
    this.socket.emit('register_status', message);
  }

  private audit(what: string, reason?: string): void {
    audit(this.log, this.grant, what, { session: this.session, reason });
  }
}

/** The outcome of a terminal that did not open; undefined if its browser left before. */
function outcomeOf(ending: Ending): 'refused' | 'failed' | undefined {
  if (ending.kind === 'detached') return undefined;
  return ending.kind === 'refused' && ending.code !== 'failed' ? 'refused' : 'failed';
}
