import { desktop as text } from '../../../lib/messages/desktop.ts';
import { joined } from './sealed.ts';
import { RsaAesError } from './types.ts';

/** A server that follows the protocol sends far less before it is answered. */
const LIMIT = 65_536;

/** Bytes from the server that are not read yet, read piece by piece. */
export class Inbox {
  private bytes: Uint8Array = new Uint8Array();
  private decode = (bytes: Uint8Array): Uint8Array => bytes;
  private reader: { size: number; done: (bytes: Uint8Array) => void } | null = null;

  /** Adds received bytes. */
  push(bytes: Uint8Array): void {
    if (this.bytes.length + bytes.length > LIMIT) throw new RsaAesError(text.rsaAes.tooMuch);
    this.bytes = joined(this.bytes, this.decode(bytes));
    this.serve();
  }

  /** The next so many bytes. The promise stays pending when the channel closes first: its reader is gone too. */
  take(size: number): Promise<Uint8Array> {
    return new Promise((done) => {
      this.reader = { size, done };
      this.serve();
    });
  }

  /** Decrypts all further bytes. */
  through(decode: (bytes: Uint8Array) => Uint8Array): void {
    this.decode = decode;
    this.bytes = decode(this.bytes);
  }

  /** All unread bytes. */
  rest(): Uint8Array {
    const { bytes } = this;
    this.bytes = new Uint8Array();
    return bytes;
  }

  private serve(): void {
    const { reader } = this;
    if (!reader || this.bytes.length < reader.size) return;
    this.reader = null;
    const taken = this.bytes.slice(0, reader.size);
    this.bytes = this.bytes.slice(reader.size);
    reader.done(taken);
  }
}
