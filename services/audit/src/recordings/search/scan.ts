const ESC = 0x1b;
const BEL = 0x07;

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
        if (byte === 0x5b) this.state = 'csi';
        // OSC, DCS, SOS, PM and APC.
        else if (byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f)
          this.state = 'string';
        else if (byte >= 0x30 && byte !== ESC) this.state = 'ground';
        return;
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

  private inText(byte: number): void {
    if (byte === ESC) [this.state, this.missing] = ['escape', 0];
    else if (byte >= 0xf0) this.missing = 3;
    else if (byte >= 0xe0) this.missing = 2;
    else if (byte >= 0xc0) this.missing = 1;
    else if (byte >= 0x80) this.missing = Math.max(0, this.missing - 1);
    else this.missing = 0;
  }
}
