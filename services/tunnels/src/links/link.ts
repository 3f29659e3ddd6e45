import type { Client } from '@connectrpc/connect';
import {
  AgentService,
  type Facts,
  type FactsSchema,
  type MetricsBatch,
  type TerminalOutput,
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
import type { FollowCall, TerminalCall } from './link.calls.ts';
import { LinkGuard, type Breach } from './link.guard.ts';
import { StreamWindow } from './stream.window.ts';
import { OneShotEvent } from './one.shot.event.ts';

/** A call that its owner resets when it is done. */
export type FactsCall = Pick<StreamingCall<typeof WatchFactsRequestSchema, typeof FactsSchema>, 'cancel'>;

/** A report has at most 8 KiB; a longer one is refused, a much longer one not received. */
const OF_FACTS = { use: 'hub', most: 64 * 1024 } as const;
/**
 * Detection plus notification must take less than the 15 s after which a device must not look connected. Agents expect this pace
 * and have a byte budget (agent/test/frugal.int.spec.ts).
 */
const PING_MS = 8_200;
const PONG_MS = 4_000;
/** Node sends no PING on a closing link, so its last streams have a time limit, which is shorter if the agent stops by itself. */
const LAST_STREAMS_MS = 5 * 60_000;
const STOPPING_MS = 10_000;

export interface LinkFacts {
  /** The link's id: `device_sid` of a socket token. */
  id: string;
  deviceId: string;
  accountId: string;
  /** Address that the agent dialled from. */
  publicIp: string;
  agentVersion: string;
  /** Whether the device had pinned terminals when it dialled, as it says. */
  hasPins: boolean;
  /** The agent's instance id; empty for older agents. */
  instance: string;
  /** The verified Ed25519 public key, base64url. */
  key: string;
  /** The hardware's serial; empty if the agent reports none. */
  serial: string;
  /** Whether the hub was certain of the device's serial when it dialled. */
  serialKnown: boolean;
}

/** The link of one agent: HTTP/2 with this side as client, monitored with PINGs. */
export class AgentLink {
  readonly id: string;
  readonly deviceId: string;
  readonly publicIp: string;
  readonly agentVersion: string;
  readonly hasPins: boolean;
  readonly instance: string;
  readonly key: string;
  readonly serial: string;
  readonly serialKnown: boolean;
  /** Fires when the agent is asked to reconnect elsewhere, or the link closes: work bound to this link ends. */
  readonly departure = new OneShotEvent();
  /** Fires when the link closes. */
  readonly end = new OneShotEvent();
  accountId: string;
  /** The epoch of the newest claim. */
  epoch = 0n;
  /** The last measured round trip, milliseconds. */
  rtt: number | undefined;
  /** Of the device, to the other services. */
  announcedAt = new Date();
  /** The breach that ended the link. */
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
    this.hasPins = facts.hasPins;
    this.instance = facts.instance;
    this.key = facts.key;
    this.serial = facts.serial;
    this.serialKnown = facts.serialKnown;
    const account = () => this.accountId;
    this.guard = new LinkGuard(session, shares, account, (breach) => this.breached(breach));
    session.once('close', () => this.ended());
    session.once('goaway', () => this.closing(this.departure.fired ? LAST_STREAMS_MS : STOPPING_MS));
    if (session.destroyed) this.ended();
    // Spreads the PINGs of links that were opened together.
    else this.schedule(Math.random() * PING_MS);
  }

  /** The agent's client, created on first use: most links never need one. */
  get agent(): Client<typeof AgentService> {
    return (this.client ??= agentClient(this.guard));
  }

  /** Aborts when the link closes. */
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

  /** When a closed link went down: for one that fell silent, at its last sign of life. */
  get goneAt(): Date {
    if (!this.silent) return new Date();
    return this.heardAt > this.announcedAt ? this.heardAt : this.announcedAt;
  }

  /** Attaches to a terminal (docs/agent-protocol.md, 'A terminal'). @throws Error if the link is closed */
  terminal(events: CallEvents<TerminalOutput>): TerminalCall {
    return new StreamingCall(this.guard, AgentService.method.terminal, events);
  }

  /** Reads a terminal beside its writers; fails as {@link terminal}. */
  follow(events: CallEvents<TerminalOutput>): FollowCall {
    return new StreamingCall(this.guard, AgentService.method.follow, events);
  }

  /** Follows the device's facts: the current ones and each change. @throws Error if the link is closed */
  facts(events: CallEvents<Facts>): FactsCall {
    const message = (facts: Facts) => {
      this.guard.reported();
      events.message(facts);
    };
    const call = new StreamingCall(this.guard, AgentService.method.watchFacts, { ...events, message }, OF_FACTS);
    call.sendLast({});
    return call;
  }

  /** Takes a batch of the device's usage (docs/agent-protocol.md, 'Usage'). @throws Error if the link is closed */
  metrics(stored: number, limit: number, events: CallEvents<MetricsBatch>): Pick<FactsCall, 'cancel'> {
    const call = new StreamingCall(this.guard, AgentService.method.takeMetrics, events, { use: 'hub' });
    call.sendLast({ stored, limit });
    return call;
  }

  /**
   * Connects to a server on the device's side.
   * @throws ConnectFailed with the problem
   */
  async connect(target: ConnectTarget): Promise<Duplex> {
    const stream = await connectThrough(this.guard, target);
    // Most links never need one.
    this.windows ??= this.sized();
    this.windows.watch(stream);
    return stream;
  }

  /** Counts bytes that bypassed the stream's buffer. */
  took(bytes: number): void {
    this.guard.frame(bytes);
  }

  /** Counts small pieces of one frame. @returns false if others should be served before the next; `later` calls back */
  pieces(count: number): boolean {
    return this.guard.pieces(count);
  }

  /** Calls back when reading of the link resumes after a pause. */
  readonly later = (goOn: () => void): void => this.guard.later(goOn);

  /** Measures a round trip with a PING (RFC 9113, 6.7), in milliseconds; undefined if the link closed first. Concurrent calls share one. */
  roundTrip(): Promise<number | undefined> {
    this.measuring ??= this.measure().finally(() => (this.measuring = undefined));
    return this.measuring;
  }

  /** Measures a round trip; undefined if the agent does not answer in the time that a live one needs. */
  async answers(): Promise<number | undefined> {
    const late = new AbortController();
    const patience = wait(PONG_MS, undefined, { signal: late.signal, ref: false }).catch(() => undefined);
    try {
      return await Promise.race([this.roundTrip(), patience]);
    } finally {
      late.abort();
    }
  }

  /** Asks the agent to reconnect; running streams may finish. */
  goAway(): void {
    this.departure.fire();
    if (!this.session.destroyed) this.session.goaway();
  }

  /** Lets running streams finish, then closes the link. */
  close(): void {
    this.closing(LAST_STREAMS_MS);
    if (!this.session.destroyed) this.session.close();
  }

  /** A newer link of the device replaces this one. */
  supersede(): void {
    this.succession.fire();
  }

  /** Closes the link at once. */
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
    // A stopped agent, or one without network, does not answer. After this process was suspended, its timers are due
    // before it reads a waiting answer.
    const late = () => setImmediate(() => answered || this.session.closed || this.fellSilent());
    const patience = setTimeout(late, PONG_MS).unref();
    const duration = await this.roundTrip();
    answered = true;
    clearTimeout(patience);
    if (duration === undefined || !this.alive || this.session.closed) return;
    linkRtt.observe(duration / 1000);
    // At a fixed pace, which the agent expects.
    this.schedule(Math.max(0, PING_MS - duration));
  }

  /** Closes the link within the given time. */
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
      // A closing session answers its PINGs with an error.
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
