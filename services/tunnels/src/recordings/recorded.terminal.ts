import { Recording } from '@warren/proto/agent/v1/agent';
import type { Duplex } from 'node:stream';
import type { AgentLink } from '../links/link.ts';
import type { RecordingMessage } from './mark.ts';
import { RecordingRelay } from './recording.relay.ts';

/** A terminal that is recorded, as its opening has set it. */
export interface RecordedSession {
  accountId: string;
  deviceId: string;
  deviceName: string;
  /** The agent's id of the terminal. */
  session: string;
  /** Its owner. */
  userId: string;
  userEmail: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  mode: Recording.BEST_EFFORT | Recording.REQUIRED;
  size: { cols: number; rows: number };
}

const WAITING = 'Recording is not possible at the moment. Output waits.';
const INTERRUPTED = 'Recording is not possible at the moment. Output may be missing in it.';
const CLOSED = 'The recording is closed.';
/** Another recorder takes over within this time, and nobody needs to know. */
const HANDOVER_MS = 5_500;

/** One recorded terminal of a device that is linked here, with the stream to its recorder. */
export class RecordedTerminal {
  readonly since = Date.now();
  /** Of the newest recorder; an earlier one is refused. */
  claim = 0n;
  private relay: RecordingRelay | undefined;
  private isFollowed = false;
  private trouble = '';
  private isShownBroken = false;
  private grace: NodeJS.Timeout | undefined;
  private readonly listeners = new Set<(message: RecordingMessage) => void>();
  private readonly waiting = new Set<() => void>();
  private undo = () => {};

  constructor(
    readonly session: RecordedSession,
    readonly link: AgentLink,
    private readonly closed: (terminal: RecordedTerminal, isOver: boolean) => void,
    linkEnded: (terminal: RecordedTerminal) => void,
  ) {
    this.undo = link.end.listen(() => linkEnded(this));
    this.wait();
  }

  /** The mark that people in the terminal see. */
  get mark(): RecordingMessage {
    const required = this.session.mode === Recording.REQUIRED;
    const broken = required ? ('waiting' as const) : ('interrupted' as const);
    return {
      recorded: true,
      mode: required ? 'required' : 'best_effort',
      since: this.session.startedAt,
      state: this.isShownBroken ? broken : 'recording',
      reason: this.isShownBroken ? this.reason : '',
    };
  }

  /** Whether this account records it in this mode, over this link. */
  matches({ accountId, mode }: Pick<RecordedSession, 'accountId' | 'mode'>, link: AgentLink): boolean {
    return this.link === link && this.session.mode === mode && this.session.accountId === accountId;
  }

  /** Makes a stream the only one of this terminal. */
  attach(stream: { socket: Duplex; head: Buffer }): void {
    this.detach();
    const relay: RecordingRelay = new RecordingRelay(this.relayed, stream, {
      following: () => this.relay === relay && this.followed(),
      trouble: (reason) => this.relay === relay && this.troubled(reason),
      closed: (isOver) => this.relay === relay && this.ended(isOver),
      ended: () => this.relay === relay && this.lost(),
    });
    this.relay = relay;
  }

  /** Ends the stream: the link is gone, or the recording is closed. */
  detach(): void {
    const { relay } = this;
    this.relay = undefined;
    relay?.close();
  }

  /** Waits until a recorder reads the terminal. @returns false if none does in time */
  async followedWithin(ms: number): Promise<boolean> {
    if (this.isFollowed) return true;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      this.waiting.add(() => {
        clearTimeout(timer);
        resolve();
      });
    });
    return this.isFollowed;
  }

  /** Calls back with each change of the mark. @returns its undo */
  watch(listener: (message: RecordingMessage) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  joined(person: string): void {
    if (this.isFollowed) this.relay?.joined(person);
  }

  left(person: string): void {
    if (this.isFollowed) this.relay?.left(person);
  }

  /** Forgets timers and listeners. */
  dispose(): void {
    this.undo();
    this.detach();
    clearTimeout(this.grace);
    this.listeners.clear();
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
  }

  private get relayed() {
    const { mode, startedAt, ...session } = this.session;
    const value = { ...session, mode, startedAt: BigInt(startedAt) };
    return { ...session, link: this.link, init: { kind: { case: 'terminal' as const, value } } };
  }

  private get reason(): string {
    const what = this.session.mode === Recording.REQUIRED ? WAITING : INTERRUPTED;
    return this.trouble === '' ? what : `${what} ${this.trouble}`;
  }

  private followed(): void {
    this.isFollowed = true;
    this.trouble = '';
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
    this.show();
  }

  private troubled(reason: string): void {
    this.trouble = reason;
    this.show();
  }

  private ended(isOver: boolean): void {
    if (!isOver) this.troubled(CLOSED);
    this.closed(this, isOver);
  }

  private lost(): void {
    this.relay = undefined;
    this.isFollowed = false;
    this.wait();
  }

  /** Shows that nobody records only when no other recorder takes over. */
  private wait(): void {
    clearTimeout(this.grace);
    this.grace = setTimeout(() => this.show(), HANDOVER_MS).unref();
  }

  private show(): void {
    const broken = !this.isFollowed || this.trouble !== '';
    if (this.isFollowed) clearTimeout(this.grace);
    const { reason } = this.mark;
    this.isShownBroken = broken;
    if (this.mark.reason === reason) return;
    for (const listener of this.listeners) listener(this.mark);
  }
}
