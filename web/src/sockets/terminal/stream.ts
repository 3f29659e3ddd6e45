import type { Output } from './codec.ts';

/** The browser's position in a terminal's output: draws each byte once, and detects gaps. */
export class OutputStream {
  /** Offset of the next byte to receive. */
  received = 0;
  /** Offset of the next byte to draw. */
  drawn = 0;

  begin(offset: number): void {
    this.received = offset;
    this.drawn = offset;
  }

  /** Continues at a later offset. What has come is drawn before it. */
  skip(offset: number): void {
    this.drawn += offset - this.received;
    this.received = offset;
  }

  /**
   * Adds a frame.
   * @returns the bytes to draw (empty when all of them were drawn before) and how many are missing before them
   */
  take(frame: Output): { bytes: Uint8Array; missing: number } {
    const offset = frame.offset ?? this.received;
    const missing = Math.max(0, offset - this.received);
    const seen = Math.min(frame.bytes.length, Math.max(0, this.received - offset));
    const bytes = frame.bytes.subarray(seen);
    this.received = Math.max(this.received, offset + frame.bytes.length);
    // Missing bytes will never be drawn, so they count as drawn; otherwise their credit would never be returned.
    this.drawn += missing;
    return { bytes, missing };
  }
}
