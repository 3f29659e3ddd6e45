/** Typed while the connection is away; more than a command line or two would come as a surprise later. */
const AWAY_MOST = 4 * 1024;
/** Typed or pasted while there is a connection, and not yet taken by the session. */
const MOST = 4 * 1024 * 1024;
/** Bytes in flight that the terminal has not yet accepted. */
const WINDOW = 128 * 1024;
/** Far below the hub's limit for one message. */
const FRAME = 16 * 1024;

/**
 * What is typed, until the session has taken it: each byte has an offset, the session tells how many it has taken, and after a
 * break what lies beyond goes out once more. So nothing is typed twice, and nothing is left out.
 */
export class Typing {
  /** Bytes that the session is not known to have taken, as they were typed. */
  private parts: Uint8Array[] = [];
  /** Offset of the first byte in `parts`. */
  private taken = 0;
  private sent = 0;
  private end = 0;
  private refused = false;
  /** False at a session that does not count: what is sent is forgotten. */
  private counted = true;

  /** Keeps what was typed, or refuses it when there is no room: a half-kept line must not reach a shell. */
  type(input: Uint8Array, away: boolean): void {
    const waiting = this.end - this.sent + input.length;
    if (this.refused || waiting > (away ? AWAY_MOST : MOST)) {
      this.refused = true;
      return;
    }
    if (input.length === 0) return;
    this.parts.push(input);
    this.end += input.length;
  }

  /** How many keystrokes have not been sent. */
  get keys(): number {
    let at = this.taken;
    let keys = 0;
    for (const part of this.parts) {
      if (at >= this.sent) keys += 1;
      at += part.length;
    }
    return keys;
  }

  get full(): boolean {
    return this.refused;
  }

  /** What may be sent now, in pieces; it counts as sent. */
  *due(): Generator<Uint8Array> {
    const until = Math.min(this.end, this.taken + WINDOW);
    let at = this.taken;
    for (const part of [...this.parts]) {
      while (this.sent < until && this.sent < at + part.length) {
        const from = this.sent - at;
        const piece = part.slice(from, from + Math.min(FRAME, until - this.sent));
        this.sent += piece.length;
        yield piece;
      }
      at += part.length;
    }
    if (!this.counted) this.drop(this.sent);
  }

  /** The session has taken so many bytes since it began. */
  accept(typed: number): void {
    if (typed <= this.taken || typed > this.sent) return;
    this.drop(typed);
    if (this.end === this.sent) this.refused = false;
  }

  /**
   * The same session again.
   * @param typed what it has taken until now; null when it does not count
   * @returns how many bytes of what was sent it can't tell about: they are not sent again
   */
  resume(typed: number | null): number {
    this.refused = false;
    const known = typed !== null && typed >= this.taken && typed <= this.sent;
    const unsure = known ? 0 : this.sent - this.taken;
    this.drop(known ? typed : this.sent);
    this.rebase(typed);
    return unsure;
  }

  /** Another session: what was typed for the one before is not for this one. */
  restart(typed: number | null, keep: boolean): void {
    this.refused = false;
    if (!keep) this.clear();
    this.rebase(typed);
  }

  /** Forgets what has not been sent. */
  discard(): void {
    this.refused = false;
    const kept: Uint8Array[] = [];
    let at = this.taken;
    for (const part of this.parts) {
      if (at < this.sent) kept.push(part.subarray(0, this.sent - at));
      at += part.length;
    }
    this.parts = kept;
    this.end = this.sent;
  }

  clear(): void {
    this.parts = [];
    this.taken = this.sent = this.end;
    this.refused = false;
  }

  private drop(to: number): void {
    while (this.taken < to) {
      const part = this.parts[0];
      if (!part) break;
      const gone = Math.min(part.length, to - this.taken);
      if (gone === part.length) this.parts.shift();
      else this.parts[0] = part.subarray(gone);
      this.taken += gone;
    }
    this.sent = Math.max(this.sent, this.taken);
  }

  /** Goes on from the session's count; all that is kept is still to be sent. */
  private rebase(typed: number | null): void {
    this.counted = typed !== null;
    const kept = this.end - this.taken;
    this.taken = this.sent = typed ?? 0;
    this.end = this.taken + kept;
  }
}
