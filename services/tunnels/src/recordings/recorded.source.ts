import { Recording } from '@warren/proto/agent/v1/agent';
import type { Duplex } from 'node:stream';
import type { RecordingMessage } from './mark.ts';
import { RecordingRelay, type RelayedSession } from './recording.relay.ts';

/** A session that is recorded, as its opening has set it. */
export interface RecordedSession {
  accountId: string;
  deviceId: string;
  deviceName: string;
  /** The agent's id of the terminal; of a desktop, ours. */
  session: string;
  /** Its owner. */
  userId: string;
  userEmail: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  mode: Recording.BEST_EFFORT | Recording.REQUIRED;
}

/** What a session does while nothing records it, in words for people. */
export interface RecordingWords {
  waiting: string;
  interrupted: string;
}

const CLOSED = 'The recording is closed.';
/** Another recorder takes over within this time, and nobody needs to know. */
const HANDOVER_MS = 5_500;

/** One recorded session of a device that is linked here, with the stream to its recorder. */
export abstract class RecordedSource<S extends RecordedSession = RecordedSession> {
  /** Of the newest recorder; an earlier one is refused. */
  claim = 0n;
  abstract readonly kind: 'terminal' | 'desktop';
  protected relay: RecordingRelay | undefined;
  protected isFollowed = false;
  private trouble = '';
  private isShownBroken = false;
  private grace: NodeJS.Timeout | undefined;
  private readonly listeners = new Set<(message: RecordingMessage) => void>();
  private readonly waiting = new Set<() => void>();

  constructor(
    readonly session: S,
    private readonly words: RecordingWords,
  ) {
    this.wait();
  }

  /** The mark that people in the session see. */
  get mark(): RecordingMessage {
    const broken = this.isRequired ? ('waiting' as const) : ('interrupted' as const);
    return {
      recorded: true,
      mode: this.isRequired ? 'required' : 'best_effort',
      since: this.session.startedAt,
      state: this.isShownBroken ? broken : 'recording',
      reason: this.isShownBroken ? this.reason : '',
    };
  }

  get isRequired(): boolean {
    return this.session.mode === Recording.REQUIRED;
  }

  /** Makes a stream the only one of this session. */
  attach(stream: { socket: Duplex; head: Buffer }): void {
    this.detach();
    const relay: RecordingRelay = new RecordingRelay(this.relayed(), stream, {
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

  /** Waits until a recorder reads the session. @returns false if none does in time */
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

  /** Forgets timers and listeners. */
  dispose(): void {
    this.detach();
    clearTimeout(this.grace);
    this.listeners.clear();
    this.stopWaiting();
  }

  /** What a new recorder reads. */
  protected abstract relayed(): RelayedSession;

  /** The recording is closed. @param isOver whether the session has ended too */
  protected abstract closed(isOver: boolean): void;

  /** Ends all `followedWithin` with what is so now. */
  protected stopWaiting(): void {
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
  }

  /** Shows people the mark as it is now. */
  protected announce(): void {
    for (const listener of this.listeners) listener(this.mark);
  }

  private get reason(): string {
    const what = this.isRequired ? this.words.waiting : this.words.interrupted;
    return this.trouble === '' ? what : `${what} ${this.trouble}`;
  }

  private followed(): void {
    this.isFollowed = true;
    this.trouble = '';
    this.stopWaiting();
    this.show();
  }

  private troubled(reason: string): void {
    this.trouble = reason;
    this.show();
  }

  private ended(isOver: boolean): void {
    if (!isOver) this.troubled(CLOSED);
    this.closed(isOver);
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
    if (this.mark.reason !== reason) this.announce();
  }
}
