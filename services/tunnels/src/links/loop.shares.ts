import { linkPauses } from '../telemetry/metrics.ts';

/** A link as the event loop serves it. */
export interface Reader {
  /** Reads nothing more from the device; TCP holds it up. */
  pause(): void;
  resume(): void;
}

/** Milliseconds that the devices of one account may use of a turn while others may wait: less than a keystroke's own way takes. */
const SLICE_MS = 0.5;
/** Bytes that they may bring in a turn: what is sent on behind it takes time too. */
const SLICE_BYTES = 256 * 1024;
/** Small pieces of a device in a turn that a pause does not follow. What one read brought can't be stopped midway. */
const SMALL_AT_ONCE = 512;
/** Some 100 times what a small piece takes, so that long turns are too rare to count among a neighbour's slowest hundredth. */
const PAUSE_MS_FOR_EACH = 0.5;
/** Below the time in which a PING must be answered. */
const LONGEST_PAUSE_MS = 2_000;
/** An account whose device sent something within this time is there. */
const PRESENT_MS = 1_000;

const pausedForTurns = linkPauses.labels({ why: 'slice' });
const pausedForPieces = linkPauses.labels({ why: 'small_pieces' });

/** One account's part of the turn. */
export class AccountTurn {
  turn = 0;
  ms = 0;
  bytes = 0;
  /** Paused links, in the order in which they are read on. */
  readonly waiting: LinkTurn[] = [];
}

/** One link's part of the turn. */
export class LinkTurn {
  turn = 0;
  small = 0;
  paused = false;
  pausedAt = 0;
  timer: NodeJS.Timeout | undefined;

  /** @param account whose device it is now; a device may move */
  constructor(
    readonly reader: Reader,
    public account = new AccountTurn(),
  ) {}
}

/**
 * Shares the turns of the event loop among accounts. libuv reads up to 2 MiB from one connection before it looks at the next. A link whose account has
 * used its slice is paused until the next turn, in which whatever else is ready is served too; if nothing is, the next turn begins at once, so a
 * lone device keeps its speed.
 */
export class LoopShares {
  private turn = 1;
  private open = false;
  /** Whose work runs since `at`. */
  private running: AccountTurn | undefined;
  private at = 0;
  /** Who ran before, and until when. */
  private before: { account: AccountTurn | undefined; at: number } = { account: undefined, at: -Infinity };
  private readonly crowded = new Set<AccountTurn>();

  /**
   * @param now milliseconds
   * @param nextTurn calls back when whatever was ready has been served
   */
  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly nextTurn: (begin: () => void) => void = setImmediate,
  ) {}

  /** Counts a frame of so many bytes that has come. @returns false when the link is paused */
  frame(link: LinkTurn, bytes: number, small: boolean): boolean {
    const { account } = link;
    this.enter(account);
    account.bytes += bytes;
    if (small) this.pieces(link, 1);
    // After a write Node resumes reading.
    if (link.paused) link.reader.pause();
    else if (account.ms >= SLICE_MS || account.bytes >= SLICE_BYTES) this.pause(link);
    return !link.paused;
  }

  /** Counts a message behind the first of its frame. @returns false when the link is paused */
  message(link: LinkTurn): boolean {
    this.enter(link.account);
    if (link.account.ms >= SLICE_MS) this.pause(link);
    return !link.paused;
  }

  /** Counts small pieces that were handled since the last frame. @returns false when the link is paused */
  pieces(link: LinkTurn, count: number): boolean {
    if (link.turn !== this.turn) link.small = 0;
    link.turn = this.turn;
    link.small += count;
    if (link.small > SMALL_AT_ONCE) this.pause(link);
    return !link.paused;
  }

  /** Forgets a link that is gone. */
  leave(link: LinkTurn): void {
    clearTimeout(link.timer);
    const { waiting } = link.account;
    const index = waiting.indexOf(link);
    if (index >= 0) waiting.splice(index, 1);
  }

  /** From now on work is an account's. What runs until another begins is the former's, whatever else ran in between: a pause too many costs a turn. */
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

  /** Reads on, at once or when its small pieces are paid for. */
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

  /** Whether a device of another account has sent something lately. */
  private accompanied(account: AccountTurn): boolean {
    const other = this.running === account ? this.before : { account: this.running, at: this.at };
    return other.account !== undefined && this.now() - other.at < PRESENT_MS;
  }
}
