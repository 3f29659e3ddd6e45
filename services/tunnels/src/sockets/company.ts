/** What is shorter is likely waited for: an echo, an answer, a small change of a picture. */
const SHORT = 4 * 1024;
/** So long after it more of the kind is expected: a person who types, a program that asks. */
const RECENT_MS = 1_000;

interface Sent {
  by: object | undefined;
  at: number;
}

const NEVER: Sent = { by: undefined, at: -Infinity };

/** Knows of the sockets of this process which of them somebody lately waits at, so that a flood can leave room for the others. */
export class Company {
  private last = NEVER;
  /** The last by another one than the last. */
  private other = NEVER;

  /** @param now milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** A socket sends so many bytes. */
  sends(by: object, bytes: number): void {
    if (bytes >= SHORT) return;
    if (this.last.by !== by) this.other = this.last;
    this.last = { by, at: this.now() };
  }

  /** Whether another socket has sent something short within the last second. */
  of(one: object): boolean {
    const { at } = this.last.by === one ? this.other : this.last;
    return this.now() - at < RECENT_MS;
  }
}

/** That of this process. */
export const company = new Company();
