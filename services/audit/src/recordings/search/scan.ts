const ESC = 0x1b;
const BEL = 0x07;
const CSI = 0x5b;
/** OSC, DCS, SOS, PM and APC: they last until their end (ST), or BEL. */
const STRINGS: ReadonlySet<number> = new Set([0x5d, 0x50, 0x58, 0x5e, 0x5f]);

/** Follows output by byte, and knows where a screen can be cut: outside of escape sequences and characters (ECMA-48, RFC 3629). */
export class CutScan {
  private state: 'ground' | 'escape' | 'csi' | 'string' | 'string-escape' = 'ground';
  /** Bytes of a character that are still to come. */
  private missing = 0;

  /** Whether output may be cut here. */
  get isSafe(): boolean {
    return this.state === 'ground' && this.missing === 0;
  }

  follow(bytes: Uint8Array): void {
    for (const byte of bytes) this.step(byte);
  }

  private step(byte: number): void {
    switch (this.state) {
      case 'ground':
        return this.inText(byte);
      case 'escape':
        return this.inEscape(byte);
      case 'csi':
        if (byte === ESC) this.state = 'escape';
        else if (byte >= 0x40) this.state = 'ground';
        return;
      case 'string':
        if (byte === ESC) this.state = 'string-escape';
        else if (byte === BEL) this.state = 'ground';
        return;
      case 'string-escape':
        this.state = byte === 0x5c ? 'ground' : 'escape';
        if (byte !== 0x5c) this.step(byte);
    }
  }

  private inEscape(byte: number): void {
    if (byte === CSI) this.state = 'csi';
    else if (STRINGS.has(byte)) this.state = 'string';
    else if (byte >= 0x30) this.state = 'ground';
  }

  private inText(byte: number): void {
    if (byte === ESC) [this.state, this.missing] = ['escape', 0];
    else if (byte >= 0xf0) this.missing = 3;
    else if (byte >= 0xe0) this.missing = 2;
    else if (byte >= 0xc0) this.missing = 1;
    else if (byte >= 0x80) this.missing = Math.max(0, this.missing - 1);
    else this.missing = 0;
  }
}
