import { desktop as text } from '../../../lib/messages/desktop.ts';
import { Eax, TAG_BYTES } from './eax.ts';
import { RsaAesError } from './types.ts';

/** The length of each message, in two bytes before it; the tag authenticates it. */
const LENGTH_BYTES = 2;
/** TigerVNC's largest message in both directions. */
const LONGEST_SENT = 8_192;

/** The sequence number of a message in its direction, as 16 bytes, little-endian. */
class Counter {
  readonly bytes = new Uint8Array(16);

  next(): void {
    for (let at = 0; at < this.bytes.length; at++) {
      const byte = (this.bytes[at] = ((this.bytes[at] ?? 0) + 1) & 0xff);
      if (byte !== 0) return;
    }
  }
}

/** Encrypts output into messages. */
export class Sealer {
  private readonly eax: Eax;
  private readonly counter = new Counter();

  constructor(key: Uint8Array) {
    this.eax = new Eax(key);
  }

  seal(bytes: Uint8Array): Uint8Array {
    const messages = Math.ceil(bytes.length / LONGEST_SENT);
    const out = new Uint8Array(bytes.length + messages * (LENGTH_BYTES + TAG_BYTES));
    let at = 0;
    for (let from = 0; from < bytes.length; from += LONGEST_SENT) {
      const part = bytes.subarray(from, from + LONGEST_SENT);
      const header = new Uint8Array([part.length >> 8, part.length & 0xff]);
      out.set(header, at);
      out.set(this.eax.seal(this.counter.bytes, header, part), at + LENGTH_BYTES);
      this.counter.next();
      at += LENGTH_BYTES + part.length + TAG_BYTES;
    }
    return out;
  }
}

/** Decrypts the server's messages, however they are split. Buffers less than one message, which is 64 KiB at most. */
export class Opener {
  private readonly eax: Eax;
  private readonly counter = new Counter();
  private rest = new Uint8Array();

  constructor(key: Uint8Array) {
    this.eax = new Eax(key);
  }

  /** The content of the complete messages, in order. */
  open(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const all = joined(this.rest, bytes);
    const ends = endsOf(all);
    const last = ends.at(-1) ?? 0;
    this.rest = all.slice(last);
    const out = new Uint8Array(last - ends.length * (LENGTH_BYTES + TAG_BYTES));
    let [from, at] = [0, 0];
    for (const end of ends) {
      const header = all.subarray(from, from + LENGTH_BYTES);
      const opened = this.eax.open(this.counter.bytes, header, all.subarray(from + LENGTH_BYTES, end));
      if (!opened) throw new RsaAesError(text.rsaAes.changed);
      this.counter.next();
      out.set(opened, at);
      at += opened.length;
      from = end;
    }
    return out;
  }
}

/** The end of each complete message. */
function endsOf(bytes: Uint8Array): number[] {
  const ends: number[] = [];
  for (let at = 0; at + LENGTH_BYTES <= bytes.length;) {
    at += LENGTH_BYTES + (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)) + TAG_BYTES;
    if (at > bytes.length) break;
    ends.push(at);
  }
  return ends;
}

/** Concatenates both; copies nothing when one of them is empty. */
export function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  if (second.length === 0) return first;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
