const ESC = 0x1b;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;

type State = 'ground' | 'escape' | 'sequence' | 'string' | 'text';

/**
 * Finds the offsets at which a terminal's output may be cut: outside escape sequences (ECMA-48, sections 5.4 and 5.6) and UTF-8
 * characters. A screen that resumes elsewhere would print the rest of a sequence.
 */
export class OutputBoundary {
  private state: State = 'ground';
  /** Continuation bytes that a character still lacks. */
  private lacking = 0;
  private lead = 0;

  /**
   * Reads the next bytes of the output.
   * @returns the number of these bytes before the last cut; -1 without a cut
   */
  read(bytes: Uint8Array): number {
    let last = this.state === 'ground' ? 0 : -1;
    let count = 0;
    for (const byte of bytes) {
      this.next(byte);
      count++;
      if (this.state === 'ground') last = count;
    }
    return last;
  }

  private next(byte: number): void {
    if (byte === ESC) this.state = 'escape';
    else if (byte === CAN || byte === SUB) this.state = 'ground';
    else if (this.state === 'ground') this.ground(byte);
    else if (this.state === 'text') this.continue(byte);
    else if (this.state === 'escape') this.escape(byte);
    else if (this.state === 'sequence') this.state = byte >= 0x40 && byte <= 0x7e ? 'ground' : 'sequence';
    else if (byte === BEL) this.state = 'ground';
  }

  private ground(byte: number): void {
    if (byte < 0xc2 || byte > 0xf4) return;
    this.lead = byte;
    this.lacking = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    this.state = 'text';
  }

  private continue(byte: number): void {
    // A broken character ends before the byte that breaks it.
    if (byte < 0x80 || byte > 0xbf) {
      this.state = 'ground';
      return this.ground(byte);
    }
    this.lacking--;
    if (this.lacking === 0) this.state = this.lead === 0xc2 && byte < 0xa0 ? controlOf(byte) : 'ground';
  }

  private escape(byte: number): void {
    // Intermediate bytes: the final one follows.
    if (byte >= 0x20 && byte <= 0x2f) return;
    this.state = controlOf(byte + 0x40);
  }
}

/** The state after a C1 control, as an 8-bit code: CSI begins a sequence; DCS, SOS, OSC, PM and APC begin a string. */
function controlOf(code: number): State {
  if (code === 0x9b) return 'sequence';
  return code === 0x90 || code === 0x98 || (code >= 0x9d && code <= 0x9f) ? 'string' : 'ground';
}
