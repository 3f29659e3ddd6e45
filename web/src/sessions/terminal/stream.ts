import type { Output } from './codec.ts';

/** Where the browser stands in a session's output: draws each byte once, and knows what it never got. */
export class OutputStream {
  /** Offset of the next byte that has not come yet. */
  received = 0;
  /** Offset of the next byte that has not been drawn yet. */
  drawn = 0;

  begin(offset: number): void {
    this.received = offset;
    this.drawn = offset;
  }

  /**
   * Takes a frame in.
   * @returns the bytes to draw (empty when all of them were drawn before) and how many are missing before them
   */
  take(frame: Output): { bytes: Uint8Array; missing: number } {
    const offset = frame.offset ?? this.received;
    const missing = Math.max(0, offset - this.received);
    const seen = Math.min(frame.bytes.length, Math.max(0, this.received - offset));
    const bytes = frame.bytes.subarray(seen);
    this.received = Math.max(this.received, offset + frame.bytes.length);
    // What is missing will never be drawn, so it counts as drawn, or the credit for it would never come back.
    this.drawn += missing;
    return { bytes, missing };
  }
}
