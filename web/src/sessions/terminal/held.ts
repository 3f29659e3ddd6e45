const MOST_BYTES = 4 * 1024;

/** Input that was typed while there was no connection, in order, at most 4 KiB. */
export class HeldInput {
  private parts: Uint8Array[] = [];
  private bytes = 0;
  private refused = false;

  /** Keeps a keystroke, or refuses it when there is no room: a half-kept line must not reach a shell. */
  hold(input: Uint8Array): void {
    if (this.refused || this.bytes + input.length > MOST_BYTES) {
      this.refused = true;
      return;
    }
    this.parts.push(input);
    this.bytes += input.length;
  }

  get keys(): number {
    return this.parts.length;
  }

  get full(): boolean {
    return this.refused;
  }

  /** Gives what was kept, and keeps nothing more of it. */
  take(): Uint8Array[] {
    const parts = this.parts;
    this.parts = [];
    this.bytes = 0;
    this.refused = false;
    return parts;
  }
}
