import { isUtf8 } from 'node:buffer';
import type { Register } from './messages.ts';

/** Echoes of typing are mostly shorter; for longer output an extra frame hardly matters. */
const SHORT = 512;

/** Encodes output bytes for the client. */
export interface OutputCodec {
  /**
   * @param offset offset of the first byte
   * @returns undefined if the bytes contain no complete character
   */
  encode(bytes: Uint8Array, offset: number): { output: string | Uint8Array; offset: number } | undefined;
  /** The pending bytes, once no more will come. */
  flush(): { output: string; offset: number } | undefined;
}

export const binaryCodec: OutputCodec = {
  encode: (output, offset) => ({ output, offset }),
  flush: () => undefined,
};

/**
 * Sends short output as text if it is valid UTF-8, and all else as bytes. Bytes travel in a second frame behind the event's, which
 * adds latency to each keystroke at every hop.
 */
export const shortTextCodec: OutputCodec = {
  encode: (output, offset) => {
    if (output.length > SHORT || !isUtf8(output)) return { output, offset };
    return { output: Buffer.from(output.buffer, output.byteOffset, output.length).toString(), offset };
  },
  flush: () => undefined,
};

/** Decodes text with complete characters, even if they are split over frames; broken UTF-8 becomes U+FFFD. */
export class TextCodec implements OutputCodec {
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  private held: Uint8Array = new Uint8Array(0);
  private heldOffset = 0;

  encode(bytes: Uint8Array, offset: number): { output: string; offset: number } | undefined {
    const joined = this.held.length > 0 && this.heldOffset + this.held.length === offset;
    const whole = joined ? Buffer.concat([this.held, bytes]) : bytes;
    const start = joined ? this.heldOffset : offset;
    const cut = whole.length - unfinished(whole);
    this.held = whole.slice(cut);
    this.heldOffset = start + cut;
    return cut === 0 ? undefined : { output: this.decoder.decode(whole.subarray(0, cut)), offset: start };
  }

  flush(): { output: string; offset: number } | undefined {
    if (this.held.length === 0) return undefined;
    const output = this.decoder.decode(this.held);
    this.held = new Uint8Array(0);
    return { output, offset: this.heldOffset };
  }
}

/** The codec of output that a browser understands. */
export function codecFor({ encoding, text }: Pick<Register, 'encoding' | 'text'>): OutputCodec {
  if (encoding !== 'binary') return new TextCodec();
  return text ? shortTextCodec : binaryCodec;
}

/** The number of trailing bytes that form an incomplete UTF-8 character: 0 to 3 (RFC 3629, section 3). */
export function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return needed(byte) > back ? back : 0;
  }
  return 0;
}

function needed(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 1;
}
