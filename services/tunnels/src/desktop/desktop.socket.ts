import { Logger } from '@nestjs/common';
import { UsageKind } from '@warren/proto/events/v1/events';
import type { Duplex } from 'node:stream';
import type { AuditedSession, SessionEnding, SessionTrail, SessionTraffic } from '../sockets/session.trail.ts';
import type { Credentials } from '../links/credentials.ts';
import { ConnectFailed } from '../links/connect.ts';
import type { AgentLink } from '../links/link.ts';
import type { Links } from '../links/links.ts';
import type { Use, UsageMeter } from '../metering/usage.meter.ts';
import type { StopCode } from '../recordings/recorded.desktop.ts';
import type { RecordedDesktops } from '../recordings/recorded.desktops.ts';
import { audit } from '../sockets/audit.ts';
import { deviceUser } from '../sockets/device.user.ts';
import type { Grant } from '../sockets/grant.ts';
import type { BrowserWindow } from '../sockets/browser.window.ts';
import { Idle } from '../sockets/idle.ts';
import type { LiveGrant } from '../sockets/live.grants.ts';
import { SocketTransport } from '../sockets/transport.ts';
import { problemOf } from '../sockets/words.ts';
import { sessionsOpen, sessionStartSeconds } from '../telemetry/metrics.ts';
import { DesktopRecording } from './desktop.recording.ts';
import { inputMessage, startMessage, type BrowserSocket, type DesktopProblem } from './messages.ts';
import { problemText } from './problems.ts';
import { Relay } from './relay.ts';

const ENDINGS = {
  ended: 'The VNC server ended the session.',
  lost: 'The connection to the desktop broke.',
  left: 'The person closed the desktop.',
} as const;

const UNRECORDED = 'The hub cannot record the start of a desktop at the moment. Try again in a moment.';

/** For a desktop that ends before it is shown. */
const NONE: SessionTraffic = { bytesToDevice: 0, bytesFromDevice: 0 };

const open = sessionsOpen.labels({ kind: 'desktop' });

/** The dependencies of a desktop socket. */
export interface DesktopParts {
  links: Links;
  credentials: Credentials;
  meter: UsageMeter;
  trail: Pick<SessionTrail, 'start'>;
  recorded: RecordedDesktops;
}

/** The socket of one browser: at most one desktop at a time, of the token's device. */
export class DesktopSocket implements LiveGrant {
  private readonly log = new Logger(DesktopSocket.name);
  private readonly transport: SocketTransport;
  private readonly idle: Idle;
  private readonly window: BrowserWindow;
  private relay: Relay | undefined;
  private use: Use | undefined;
  private readonly recording: DesktopRecording;
  private audited: AuditedSession | undefined;
  /** Why the person can't have it any more. */
  private ending: SessionEnding | undefined;
  /** Why the desktop is ended here. */
  private stopped: { reason: string; code: StopCode } | undefined;
  private held = false;
  private starting = false;
  private probing = false;
  lastInputAt = 0;

  constructor(
    private readonly socket: BrowserSocket,
    readonly grant: Grant,
    private readonly parts: DesktopParts,
  ) {
    this.recording = new DesktopRecording(socket, grant, parts.recorded);
    this.transport = new SocketTransport(socket);
    this.window = this.transport.bounded(() => this.relay?.pump());
    this.idle = new Idle(socket);
    const undo = this.transport.onReady(() => this.relay?.pump());
    socket.on('start_vnc', (payload) => void this.start(payload));
    socket.on('vnc_input', (payload) => this.input(payload));
    // Input must be reported: viewers request picture updates by themselves, and may encrypt, so bytes prove nothing.
    socket.on('used', () => (this.lastInputAt = performance.now()));
    socket.on('probe', (answer) => void this.probe(answer));
    socket.once('disconnect', () => {
      undo();
      // Also one that waits for its recorder.
      this.recording.end(ENDINGS.left);
      this.relay?.close();
    });
  }

  /** True while a desktop is shown. */
  get active(): boolean {
    return this.relay !== undefined;
  }

  async withdraw(reason: string): Promise<void> {
    audit(this.log, this.grant, 'desktop.withdrawn', { reason });
    this.ending = { how: 'withdrawn', reason };
    this.refuse('withdrawn', reason);
    this.recording.end(reason);
    this.relay?.close();
    this.socket.disconnect(true);
  }

  release(reason: string): void {
    this.recording.end(reason);
    this.socket.emit('client_disconnect', { reason, code: 'moved' });
    this.socket.disconnect(true);
  }

  signOut(reason: string): void {
    audit(this.log, this.grant, 'desktop.signed_out');
    this.ending ??= { how: 'signed_out' };
    this.release(reason);
  }

  private async start(payload: unknown): Promise<void> {
    const parsed = startMessage.safeParse(payload);
    if (!parsed.success) return this.refuse('invalid', problemOf('start_vnc', parsed.error));
    if (this.starting || this.relay) return this.refuse('invalid', 'start_vnc: this socket has a desktop already.');
    const link = this.parts.links.get(this.grant.deviceId);
    if (!link?.alive) return this.refuse('offline', `${this.grant.deviceName} is not connected.`);
    const { refusal } = this.recording;
    if (refusal) return this.refuse('unrecorded', refusal);
    this.starting = true;
    this.idle.used();
    const stop = sessionStartSeconds.startTimer({ kind: 'desktop' });
    try {
      const { vnc } = await this.parts.credentials.get(this.grant.deviceId);
      const stream = await link.connect({ ...vnc, user: deviceUser(this.grant.user).userEmail });
      stop({ outcome: (await this.open(link, stream, parsed.data.encoding === 'binary')) ? 'opened' : 'refused' });
    } catch (error) {
      stop({ outcome: this.failed(error) });
    } finally {
      this.starting = false;
    }
  }

  /** Shows the desktop, once its recorder is there. @returns false if it may not be shown @throws ConnectFailed if it is gone meanwhile */
  private async open(link: AgentLink, stream: Duplex, binary: boolean): Promise<boolean> {
    const refusal = (await this.recording.begin(link)) ?? (await this.begin(stream));
    if (refusal === undefined && this.isThere(stream)) {
      const sink = this.sink(binary);
      this.recording.show({ room: () => this.relay?.resume(), stop: (reason, code) => this.stop(reason, code) });
      void this.carry(new Relay(stream, sink, (bytes) => link.took(bytes), this.recording.tap));
      return true;
    }
    const isGone = stream.destroyed;
    stream.destroy();
    this.recording.end(isGone ? ENDINGS.lost : ENDINGS.left);
    this.end({ how: this.socket.connected ? 'lost' : 'left' }, NONE);
    if (refusal === undefined && isGone && this.socket.connected) throw new ConnectFailed('gone');
    if (refusal !== undefined) this.refuse('unrecorded', refusal);
    this.idle.unused();
    return refusal === undefined;
  }

  private isThere(stream: Duplex): boolean {
    return this.socket.connected && !stream.destroyed;
  }

  /** Records the start of a desktop, unless it is gone. @returns why it may not be shown, for people */
  private async begin(stream: Duplex): Promise<string | undefined> {
    if (!this.isThere(stream)) return undefined;
    const { session: desktop } = this.recording;
    try {
      this.audited = await this.parts.trail.start(this.grant, desktop === undefined ? {} : { desktop });
    } catch (error) {
      this.log.warn({ err: error }, 'The start of a desktop could not be recorded.');
      return UNRECORDED;
    }
    return undefined;
  }

  /** Records the end, and what the desktop carried. */
  private end(ending: SessionEnding, traffic: SessionTraffic): void {
    this.audited?.end(this.ending ?? ending, traffic);
    this.audited = undefined;
  }

  private sink(binary: boolean): ConstructorParameters<typeof Relay>[1] {
    const { socket, transport, window } = this;
    socket.emit('vnc_status', { success: true });
    return {
      // A paused browser's PONGs are not read, and its server may wait for it to receive more.
      busy: () => transport.busy() || (!this.held && window.full),
      hold: (held) => {
        this.held = held;
        transport.hold(held);
        if (held) this.relay?.pump();
      },
      send: (bytes) => {
        this.use?.fromDevice(bytes.length);
        const data = binary ? bytes : bytes.toString('base64');
        transport.together(
          bytes.length,
          () => socket.emit('vnc_stream', { data }),
          () => window.passed(bytes.length),
        );
      },
    };
  }

  private async carry(relay: Relay): Promise<void> {
    this.relay = relay;
    const use = (this.use = this.parts.meter.use(this.grant.deviceAccountId, UsageKind.DESKTOP));
    use.begin();
    open.inc();
    audit(this.log, this.grant, 'desktop.opened');
    const code = await relay.done;
    open.dec();
    use.end();
    this.relay = undefined;
    const { connected } = this.socket;
    audit(this.log, this.grant, connected ? `desktop.${code}` : 'desktop.left');
    this.recording.end(ENDINGS[connected ? code : 'left']);
    this.end({ how: connected ? code : 'left' }, use);
    if (!connected) return;
    this.held = false;
    this.transport.hold(false);
    this.socket.emit('client_disconnect', this.stopped ?? { reason: ENDINGS[code], code });
    this.stopped = undefined;
    this.idle.unused();
  }

  /** Ends the desktop, because its recording has ended, or this process does. */
  private stop(reason: string, code: StopCode): void {
    this.stopped = { reason, code };
    this.relay?.close();
  }

  /** Ignores bad payloads, and logs them. */
  private input(payload: unknown): void {
    if (!this.relay) return;
    const parsed = inputMessage.safeParse(payload);
    if (parsed.success) {
      this.use?.toDevice(parsed.data.data.length);
      this.recording.heard(parsed.data.data);
      return this.relay.write(parsed.data.data);
    }
    this.log.debug({ socket: this.socket.id, problem: problemOf('vnc_input', parsed.error) }, 'A message is invalid.');
  }

  /** One at a time: ignores further probes meanwhile. */
  private async probe(answer: unknown): Promise<void> {
    if (typeof answer !== 'function' || this.probing) return;
    this.probing = true;
    await this.parts.links.get(this.grant.deviceId)?.roundTrip();
    this.probing = false;
    if (this.socket.connected) (answer as () => void)();
  }

  private failed(error: unknown): 'refused' | 'failed' {
    const problem = error instanceof ConnectFailed ? error.problem : 'gone';
    if (!(error instanceof ConnectFailed)) this.log.warn({ err: error }, 'A desktop could not be opened.');
    this.refuse(problem, problemText(problem, this.grant.deviceName));
    this.idle.unused();
    return problem === 'gone' || problem === 'timeout' ? 'failed' : 'refused';
  }

  private refuse(code: DesktopProblem, error: string): void {
    this.socket.emit('vnc_status', { success: false, code, error });
  }
}
