/** The input limit without a connection; more than a command line or two would be a surprise later. */
const AWAY_MOST = 4 * 1024;
/** The limit of input that the terminal has not yet accepted, with a connection. */
const MOST = 4 * 1024 * 1024;
/** Bytes in flight that the terminal has not yet accepted. */
const WINDOW = 128 * 1024;
/** Far below the hub's limit for one message. */
const FRAME = 16 * 1024;

/**
 * Input until the terminal has accepted it. Each byte has an offset, and the terminal acknowledges a count; after a disconnect, the
 * rest is sent again. So nothing is typed twice, and nothing is lost.
 */
export class Typing {
  /** Unacknowledged bytes. */
  private parts: Uint8Array[] = [];
  /** Offset of the first byte in `parts`. */
  private taken = 0;
  private sent = 0;
  private end = 0;
  private refused = false;
  /** False for a terminal that does not count: sent input is dropped. */
  private counted = true;

  /** Buffers input, or refuses it when there is no room: half a line must not reach a shell. */
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

  /** The number of unsent keystrokes. */
  get keys(): number {
    let at = this.taken;
    let keys = 0;
    for (const part of this.parts) {
      if (at >= this.sent) keys += 1;
      at += part.length;
    }
    return keys;
  }

  /** The offset after all input; null when some has to wait or was refused, or the terminal does not count. */
  get position(): number | null {
    return this.counted && !this.refused && this.sent === this.end ? this.end : null;
  }

  get full(): boolean {
    return this.refused;
  }

  /** Input that the window allows, in pieces; it counts as sent. */
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

  /** The terminal has accepted so many bytes since it started. */
  accept(typed: number): void {
    if (typed <= this.taken || typed > this.sent) return;
    this.drop(typed);
    if (this.end === this.sent) this.refused = false;
  }

  /**
   * Resumes with the same terminal.
   * @param typed the bytes that it has accepted so far; null when it does not count
   * @returns the number of sent bytes with unknown fate: they are not sent again
   */
  resume(typed: number | null): number {
    this.refused = false;
    const known = typed !== null && typed >= this.taken && typed <= this.sent;
    const unsure = known ? 0 : this.sent - this.taken;
    this.drop(known ? typed : this.sent);
    this.rebase(typed);
    return unsure;
  }

  /** Starts with another terminal: earlier input is not meant for it. */
  restart(typed: number | null, keep: boolean): void {
    this.refused = false;
    if (!keep) this.clear();
    this.rebase(typed);
  }

  /** Drops unsent input. */
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

  /** Resumes at the terminal's count; all buffered input is to be sent. */
  private rebase(typed: number | null): void {
    this.counted = typed !== null;
    const kept = this.end - this.taken;
    this.taken = this.sent = typed ?? 0;
    this.end = this.taken + kept;
  }
}
