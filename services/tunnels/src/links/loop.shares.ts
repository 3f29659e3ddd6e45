import { linkPauses } from '../telemetry/metrics.ts';

/** A link from the event loop's point of view. */
export interface Reader {
  /** Stops reading from the device; TCP applies backpressure. */
  pause(): void;
  resume(): void;
}

/** Milliseconds per turn for the devices of one account while others may wait: less than the latency of a keystroke. */
const SLICE_MS = 0.5;
/** Bytes per turn: forwarding them takes time too. */
const SLICE_BYTES = 256 * 1024;
/** Small pieces per turn without a pause. The pieces of one read cannot be stopped midway. */
const SMALL_AT_ONCE = 512;
/** About 100 times the cost of a small piece, so that long turns are too rare to affect a neighbour's 99th percentile. */
const PAUSE_MS_FOR_EACH = 0.5;
/** Below the PING timeout. */
const LONGEST_PAUSE_MS = 2_000;
/** An account whose device sent something within this time is active. */
const PRESENT_MS = 1_000;

const pausedForTurns = linkPauses.labels({ why: 'slice' });
const pausedForPieces = linkPauses.labels({ why: 'small_pieces' });

/** One account's part of the turn. */
export class AccountTurn {
  turn = 0;
  ms = 0;
  bytes = 0;
  /** Paused links, in the order of their resumption. */
  readonly waiting: LinkTurn[] = [];
}

/** One link's part of the turn. */
export class LinkTurn {
  turn = 0;
  small = 0;
  paused = false;
  pausedAt = 0;
  timer: NodeJS.Timeout | undefined;

  /** @param account the device's current account */
  constructor(
    readonly reader: Reader,
    public account = new AccountTurn(),
  ) {}
}

/**
 * Shares the turns of the event loop among accounts. libuv reads up to 2 MiB from one connection before it looks at the next. A link
 * whose account has used its slice pauses until the next turn, in which all other ready work is served; without any, the next turn
 * starts at once, so a lone device keeps its speed.
 */
export class LoopShares {
  private turn = 1;
  private open = false;
  /** The account whose work has run since `at`. */
  private running: AccountTurn | undefined;
  private at = 0;
  /** The account that ran before, and until when. */
  private before: { account: AccountTurn | undefined; at: number } = { account: undefined, at: -Infinity };
  private readonly crowded = new Set<AccountTurn>();

  /**
   * @param now milliseconds
   * @param nextTurn calls back when all ready work has been served
   */
  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly nextTurn: (begin: () => void) => void = setImmediate,
  ) {}

  /** Counts a received frame. @returns false if the link is paused */
  frame(link: LinkTurn, bytes: number, small: boolean): boolean {
    const { account } = link;
    this.enter(account);
    account.bytes += bytes;
    if (small) this.pieces(link, 1);
    // Node resumes reading after a write.
    if (link.paused) link.reader.pause();
    else if (account.ms >= SLICE_MS || account.bytes >= SLICE_BYTES) this.pause(link);
    return !link.paused;
  }

  /** Counts a further message of a frame. @returns false if the link is paused */
  message(link: LinkTurn): boolean {
    this.enter(link.account);
    if (link.account.ms >= SLICE_MS) this.pause(link);
    return !link.paused;
  }

  /** Counts small pieces since the last frame. @returns false if the link is paused */
  pieces(link: LinkTurn, count: number): boolean {
    if (link.turn !== this.turn) link.small = 0;
    link.turn = this.turn;
    link.small += count;
    if (link.small > SMALL_AT_ONCE) this.pause(link);
    return !link.paused;
  }

  /** Forgets a closed link. */
  leave(link: LinkTurn): void {
    clearTimeout(link.timer);
    const { waiting } = link.account;
    const index = waiting.indexOf(link);
    if (index >= 0) waiting.splice(index, 1);
  }

  /** Attributes work to an account from now on, including other work until the next one enters: a superfluous pause costs a turn. */
  private enter(account: AccountTurn): void {
    const now = this.now();
    if (!this.open) this.begin();
    else if (this.running) this.running.ms += now - this.at;
    if (account.turn !== this.turn) {
      account.turn = this.turn;
      account.ms = account.bytes = 0;
    }
    if (this.running !== account) this.before = { account: this.running, at: this.at };
    this.running = account;
    this.at = now;
  }

  private begin(): void {
    this.open = true;
    this.nextTurn(this.end);
  }

  private readonly end = (): void => {
    this.turn++;
    this.open = false;
    for (const account of this.crowded) {
      const link = account.waiting.shift();
      if (account.waiting.length === 0) this.crowded.delete(account);
      if (link) this.goOn(link);
    }
    if (this.crowded.size > 0) this.begin();
  };

  private pause(link: LinkTurn): void {
    if (link.paused) return;
    link.paused = true;
    link.pausedAt = this.at;
    link.account.waiting.push(link);
    this.crowded.add(link.account);
    if (!this.open) this.begin();
    link.reader.pause();
  }

  /** Resumes reading, at once or when its small pieces are paid for. */
  private goOn(link: LinkTurn): void {
    const excess = link.small - SMALL_AT_ONCE;
    link.small = 0;
    if (excess <= 0 || !this.accompanied(link.account)) return this.resume(link, pausedForTurns);
    const ms = Math.min(excess * PAUSE_MS_FOR_EACH, LONGEST_PAUSE_MS);
    link.timer = setTimeout(() => this.resume(link, pausedForPieces), ms).unref();
  }

  private resume(link: LinkTurn, counter: typeof pausedForTurns): void {
    link.paused = false;
    counter.inc(Math.max(0, this.now() - link.pausedAt) / 1_000);
    link.reader.resume();
  }

  /** Whether a device of another account was active lately. */
  private accompanied(account: AccountTurn): boolean {
    const other = this.running === account ? this.before : { account: this.running, at: this.at };
    return other.account !== undefined && this.now() - other.at < PRESENT_MS;
  }
}
