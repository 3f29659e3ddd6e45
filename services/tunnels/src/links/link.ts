import type { Client } from '@connectrpc/connect';
import {
  AgentService,
  type Facts,
  type FactsSchema,
  type TerminalInputSchema,
  type TerminalOutput,
  type TerminalOutputSchema,
  type WatchFactsRequestSchema,
} from '@warren/proto/agent/v1/agent';
import { constants, type ClientHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { linkRtt } from '../telemetry/metrics.ts';
import { StreamingCall, type CallEvents } from './call.ts';
import { connectThrough, type ConnectTarget } from './connect.ts';
import type { AccountShares } from './account.shares.ts';
import { agentClient } from './h2.ts';
import { LinkGuard, type Breach } from './link.guard.ts';
import { StreamWindow } from './stream.window.ts';
import { OneShotEvent } from './one.shot.event.ts';

/** A call that is broken off when its owner wants no more. */
export type FactsCall = Pick<StreamingCall<typeof WatchFactsRequestSchema, typeof FactsSchema>, 'cancel'>;
export type TerminalCall = StreamingCall<typeof TerminalInputSchema, typeof TerminalOutputSchema>;

/**
 * Detection plus notification must take less than the 15 s after which a device must not look connected. Agents expect this pace
 * and have a byte budget (agent/test/frugal.int.spec.ts).
 */
const PING_MS = 8_200;
const PONG_MS = 4_000;
/** A link that takes no more streams gets no PING from Node. So its last streams have a time limit, which is shorter when the agent stops by itself. */
const LAST_STREAMS_MS = 5 * 60_000;
const STOPPING_MS = 10_000;

export interface LinkFacts {
  /** The connection's id: `device_sid` of a socket token. */
  id: string;
  deviceId: string;
  accountId: string;
  /** Address that the agent dialled from. */
  publicIp: string;
  agentVersion: string;
  /** The agent's process; empty for agents that don't say. */
  instance: string;
  /** Ed25519 public key that it proved to hold, base64url. */
  key: string;
  /** Of its hardware; empty when the agent does not say. */
  serial: string;
  /** Whether the hub knew the device's serial for certain when this link came. */
  serialKnown: boolean;
}

/** One agent's connection: HTTP/2 with this side as client, watched by PING. */
export class AgentLink {
  readonly id: string;
  readonly deviceId: string;
  readonly publicIp: string;
  readonly agentVersion: string;
  readonly instance: string;
  readonly key: string;
  readonly serial: string;
  readonly serialKnown: boolean;
  /** The agent is asked to go elsewhere, or is gone: what this link alone is for ends. */
  readonly departure = new OneShotEvent();
  /** The link is gone. */
  readonly end = new OneShotEvent();
  accountId: string;
  /** The newest claim's epoch. */
  epoch = 0n;
  /** Last measured round trip, milliseconds. */
  rtt: number | undefined;
  /** When the device was last announced to the other services. */
  announcedAt = new Date();
  /** What the device did that this side has ended the link for. */
  breach: Breach | undefined;
  private readonly guard: LinkGuard;
  private heardAt = new Date();
  private silent = false;
  private readonly succession = new OneShotEvent();
  private windows: StreamWindow | undefined;
  private client: Client<typeof AgentService> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private measuring: Promise<number | undefined> | undefined;

  constructor(
    facts: LinkFacts,
    private readonly session: ClientHttp2Session,
    shares: AccountShares,
  ) {
    this.id = facts.id;
    this.deviceId = facts.deviceId;
    this.accountId = facts.accountId;
    this.publicIp = facts.publicIp;
    this.agentVersion = facts.agentVersion;
    this.instance = facts.instance;
    this.key = facts.key;
    this.serial = facts.serial;
    this.serialKnown = facts.serialKnown;
    this.guard = new LinkGuard(
      session,
      shares,
      () => this.accountId,
      (breach) => this.breached(breach),
    );
    session.once('close', () => this.ended());
    session.once('goaway', () => this.closing(this.departure.fired ? LAST_STREAMS_MS : STOPPING_MS));
    if (session.destroyed) this.ended();
    // Links that came together must not be asked together.
    else this.schedule(Math.random() * PING_MS);
  }

  /** The agent's calls. Most links never need them, so they are made for the first. */
  get agent(): Client<typeof AgentService> {
    return (this.client ??= agentClient(this.guard));
  }

  /** Aborts when the link is gone. */
  get gone(): AbortSignal {
    return this.end.signal;
  }

  /** Aborts when a newer link of the device replaces this one: its work moves there. */
  get superseded(): AbortSignal {
    return this.succession.signal;
  }

  get alive(): boolean {
    return !this.end.fired && !this.session.destroyed;
  }

  /** Since when the device is away, for a link that is gone: one that fell silent went when it was heard last. */
  get goneAt(): Date {
    if (!this.silent) return new Date();
    return this.heardAt > this.announcedAt ? this.heardAt : this.announcedAt;
  }

  /**
   * One attachment to one terminal session (docs/agent-protocol.md, 'A terminal').
   * @throws Error when the link is gone
   */
  terminal(events: CallEvents<TerminalOutput>): TerminalCall {
    return new StreamingCall(this.guard, AgentService.method.terminal, events);
  }

  /**
   * What the device says of itself, now and whenever it changes.
   * @throws Error when the link is gone
   */
  facts(events: CallEvents<Facts>): FactsCall {
    const message = (facts: Facts) => {
      this.guard.reported();
      events.message(facts);
    };
    const call = new StreamingCall(this.guard, AgentService.method.watchFacts, { ...events, message });
    call.sendLast({});
    return call;
  }

  /**
   * A connection to a server on the device's side.
   * @throws ConnectFailed with the problem
   */
  async connect(target: ConnectTarget): Promise<Duplex> {
    const stream = await connectThrough(this.guard, target);
    // Most links never need one.
    this.windows ??= this.sized();
    this.windows.watch(stream);
    return stream;
  }

  /** A piece has come by a connection that is read past its stream's own buffer. */
  took(bytes: number): void {
    this.guard.frame(bytes);
  }

  /** So many small pieces came in one frame. @returns false when others should be served before the next; `later` says when */
  pieces(count: number): boolean {
    return this.guard.pieces(count);
  }

  /** Calls back when the link is read on after a pause. */
  later(goOn: () => void): void {
    this.guard.later(goOn);
  }

  /** A PING to the device and back now (RFC 9113, 6.7): milliseconds, or undefined when the link went first. Many that ask share one. */
  roundTrip(): Promise<number | undefined> {
    this.measuring ??= this.measure().finally(() => (this.measuring = undefined));
    return this.measuring;
  }

  /** The same within the time that an agent which lives needs: undefined when it does not answer. */
  async answers(): Promise<number | undefined> {
    const late = new AbortController();
    const patience = wait(PONG_MS, undefined, { signal: late.signal, ref: false }).catch(() => undefined);
    try {
      return await Promise.race([this.roundTrip(), patience]);
    } finally {
      late.abort();
    }
  }

  /** Asks the agent to dial again; what runs here may finish. */
  goAway(): void {
    this.departure.fire();
    if (!this.session.destroyed) this.session.goaway();
  }

  /** Lets running streams finish, then ends. */
  close(): void {
    this.closing(LAST_STREAMS_MS);
    if (!this.session.destroyed) this.session.close();
  }

  /** A newer link of the device counts. */
  supersede(): void {
    this.succession.fire();
  }

  /** Ends at once. */
  destroy(): void {
    this.session.destroy();
    this.ended();
  }

  private schedule(delay: number): void {
    this.timer = setTimeout(() => void this.ping(), delay).unref();
  }

  private async ping(): Promise<void> {
    if (!this.alive || this.session.closed) return;
    let answered = false;
    // An agent that was stopped, or whose network is gone, does not answer. A process that stood still finds its timers due
    // before it reads the answer that is there.
    const late = () => setImmediate(() => answered || this.session.closed || this.fellSilent());
    const patience = setTimeout(late, PONG_MS).unref();
    const duration = await this.roundTrip();
    answered = true;
    clearTimeout(patience);
    if (duration === undefined || !this.alive || this.session.closed) return;
    linkRtt.observe(duration / 1000);
    // At a fixed pace: the agent counts on it.
    this.schedule(Math.max(0, PING_MS - duration));
  }

  /** Ends within so long. */
  private closing(ms: number): void {
    this.departure.fire();
    clearTimeout(this.timer);
    if (this.alive) this.timer = setTimeout(() => this.fellSilent(), ms).unref();
  }

  private fellSilent(): void {
    this.silent = true;
    this.destroy();
  }

  private breached(breach: Breach): void {
    if (this.breach || !this.alive) return;
    this.breach = breach;
    this.session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
    this.ended();
  }

  private sized(): StreamWindow {
    const windows = new StreamWindow(this.session, this.guard, () => this.roundTrip());
    if (this.rtt !== undefined) windows.heard(this.rtt);
    return windows;
  }

  private measure(): Promise<number | undefined> {
    return new Promise((resolve) => {
      if (!this.alive || this.session.destroyed) return resolve(undefined);
      // A session that ends answers its pings with an error.
      this.session.ping((error, duration) => {
        if (!error) {
          this.rtt = duration;
          this.windows?.heard(duration);
          this.heardAt = new Date();
        }
        resolve(error ? undefined : duration);
      });
    });
  }

  private ended(): void {
    clearTimeout(this.timer);
    this.departure.fire();
    this.end.fire();
  }
}
