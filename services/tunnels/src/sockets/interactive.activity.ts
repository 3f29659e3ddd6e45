/** Shorter messages are likely interactive: an echo, an answer, a small screen update. */
const SHORT = 4 * 1024;
/** How long a socket counts as interactive after such a message. */
const RECENT_MS = 1_000;

interface Sent {
  by: object | undefined;
  at: number;
}

const NEVER: Sent = { by: undefined, at: -Infinity };

/** Tracks which sockets of this process are interactive, so that bulk traffic leaves room for them. */
export class InteractiveActivity {
  private last = NEVER;
  /** The last short message of any other socket. */
  private other = NEVER;

  /** @param now milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Records a message. */
  sent(by: object, bytes: number): void {
    if (bytes >= SHORT) return;
    if (this.last.by !== by) this.other = this.last;
    this.last = { by, at: this.now() };
  }

  /** Whether another socket has sent something short within the last second. */
  besides(one: object): boolean {
    const { at } = this.last.by === one ? this.other : this.last;
    return this.now() - at < RECENT_MS;
  }
}

/** The activity of this process. */
export const activity = new InteractiveActivity();
