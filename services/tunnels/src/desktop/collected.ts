import { LENT_BYTES, lendBuffer, takeBack } from '@warren/transport/lent.buffers';

/** The largest piece of HTTP/2: memory with less room counts as full. */
export const FRAME = 16 * 1024;
/**
 * Maximum bytes of a piece: with its framing it fits the 64 KiB that Node reads at once. Larger pieces help browsers little and cost
 * Node programs much: each reassembly allocates memory and triggers a full GC. A message is also invisible until it is complete.
 */
export const PIECE = 63 * 1024;
/** A smaller, single piece needs no slab, and several of them in a row free it. */
const SMALL = 4 * 1024;
const CALM_READS = 8;

/** Shared by all connections without a slab; its bytes are copied before the next read. */
const common = Buffer.allocUnsafeSlow(FRAME);

/** Memory that is filled from its start, and read in pieces. */
interface Slab {
  memory: Buffer;
  /** Whether others use it afterwards. */
  lent: boolean;
  taken: number;
  filled: number;
  /** Pieces that are still being read. */
  readers: number;
  /** Whether the slab may be reused; false after a read that never reports its end. */
  clean: boolean;
}

/** Bytes to send, and a callback for when they are sent or dropped. */
export interface Piece {
  bytes: Buffer;
  sent: (whole: boolean) => void;
}

/** Unread bytes of a stream, in reused memory from which they are also sent. */
export class Collected {
  /** Unread bytes. */
  length = 0;
  private readonly full: Slab[] = [];
  private slab: Slab | undefined;
  private calm = 0;

  /** Memory for the next frame. Call it after `read` only: until then the next frame goes to the previous place. */
  room(): Buffer {
    const { slab } = this;
    if (slab && this.calm >= CALM_READS && slab.taken === slab.filled) this.retire();
    if (!this.slab) return common;
    const { memory, filled } = this.slab;
    return memory.length - filled < FRAME ? this.next().memory : memory.subarray(filled);
  }

  /** Records bytes in the memory that `room` returned last. */
  read(length: number, memory: Buffer): void {
    const { slab } = this;
    this.calm = length < SMALL ? this.calm + 1 : 0;
    if (!slab || memory.buffer !== slab.memory.buffer) return this.add(memory.subarray(0, length));
    slab.filled += length;
    this.length += length;
  }

  /** Appends a copy of the bytes. */
  add(bytes: Buffer): void {
    if (!this.slab && this.length === 0 && bytes.length < SMALL) {
      this.full.push(slabOf(Buffer.from(bytes), false, bytes.length));
      this.length = bytes.length;
      return;
    }
    for (let at = 0; at < bytes.length;) {
      let slab = this.slab ?? this.next();
      if (slab.filled === slab.memory.length) slab = this.next();
      const copied = bytes.copy(slab.memory, slab.filled, at);
      slab.filled += copied;
      this.length += copied;
      at += copied;
    }
  }

  /** Takes the next piece. */
  take(): Piece | undefined {
    const slab = this.full[0] ?? this.slab;
    if (!slab || slab.taken === slab.filled) return undefined;
    const bytes = slab.memory.subarray(slab.taken, Math.min(slab.filled, slab.taken + PIECE));
    slab.taken += bytes.length;
    if (slab === this.full[0] && slab.taken === slab.filled) this.full.shift();
    slab.readers++;
    this.length -= bytes.length;
    return { bytes, sent: (whole) => this.sent(slab, whole) };
  }

  /** Drops all bytes: the reader is gone. */
  discard(): void {
    this.retire();
    for (const slab of this.full.splice(0)) {
      slab.taken = slab.filled;
      release(slab);
    }
    this.length = 0;
  }

  private sent(slab: Slab, whole: boolean): void {
    slab.readers--;
    slab.clean &&= whole;
    if (slab !== this.slab) release(slab);
  }

  private next(): Slab {
    this.retire();
    const memory = lendBuffer();
    return (this.slab = slabOf(memory ?? Buffer.allocUnsafeSlow(LENT_BYTES), memory !== undefined));
  }

  private retire(): void {
    const { slab } = this;
    this.slab = undefined;
    if (!slab) return;
    if (slab.taken < slab.filled) this.full.push(slab);
    else release(slab);
  }
}

function slabOf(memory: Buffer, lent: boolean, filled = 0): Slab {
  return { memory, lent, taken: 0, filled, readers: 0, clean: true };
}

/** Returns a slab once it is empty and unread. */
function release({ memory, lent, taken, filled, readers, clean }: Slab): void {
  if (lent && readers === 0 && taken === filled) takeBack(memory, clean);
}
