import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { DescMessage, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { envelope, ENVELOPE_HEAD, EnvelopeReader, writeEnvelopeHead } from '@warren/proto/envelope';
import type { Duplex } from 'node:stream';

/** The protocol of the upgrade, and its path at tunnels (proto/warren/tunnels/v1/recordings.proto). */
export const RECORDING_UPGRADE = 'warren-recording';
export const RECORDING_PATH = '/recordings';

/** The flag of an envelope with output. */
const DATA = 1;
const OFFSET_BYTES = 8;
/** A snapshot is at most 192 KiB, a piece of output 64 KiB. */
const MAX_MESSAGE = 256 * 1024;
const DECODING = { readUnknownFields: false };

/** Events of a channel; none follows `ended`. */
export interface ChannelEvents<I extends DescMessage> {
  message(message: MessageShape<I>): void;
  /** Output at an offset; never to tunnels. */
  data(offset: number, bytes: Uint8Array): void;
  /** The owner may send again. */
  writable(): void;
  ended(error?: Error): void;
}

/** One end of the stream of a recorded terminal. */
export class RecordingChannel<I extends DescMessage, O extends DescMessage> {
  private readonly reader: EnvelopeReader;
  private over = false;

  /**
   * @param head bytes that came with the upgrade
   * @param reads what the other side sends, besides output
   */
  constructor(
    private readonly socket: Duplex,
    head: Buffer,
    private readonly reads: I,
    private readonly writes: O,
    private readonly events: ChannelEvents<I>,
  ) {
    this.reader = new EnvelopeReader(MAX_MESSAGE, (flags, message) => this.take(flags, message));
    if (head.length > 0) socket.unshift(head);
    socket.on('data', (piece: Buffer) => this.read(piece));
    socket.on('drain', () => this.over || this.events.writable());
    socket.on('error', (error) => this.finish(error));
    socket.once('end', () => this.close());
    socket.once('close', () => this.finish());
    if (socket.destroyed) this.finish();
  }

  /** False while the owner should wait for `writable`, and once nothing can be sent any more. */
  get ready(): boolean {
    return !this.over && this.socket.writable && !this.socket.writableNeedDrain;
  }

  send(message: MessageInitShape<O>): void {
    if (!this.over) this.socket.write(envelope(0, toBinary(this.writes, create(this.writes, message))));
  }

  sendData(offset: number, bytes: Uint8Array): void {
    if (this.over) return;
    const head = Buffer.allocUnsafe(ENVELOPE_HEAD + OFFSET_BYTES);
    writeEnvelopeHead(head, DATA, OFFSET_BYTES + bytes.length);
    head.writeBigUInt64BE(BigInt(offset), ENVELOPE_HEAD);
    this.socket.cork();
    this.socket.write(head);
    this.socket.write(bytes);
    this.socket.uncork();
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  /** Ends the stream after what was sent. */
  end(): void {
    this.finish();
    this.socket.end(() => this.socket.destroy());
  }

  /** Breaks the stream. */
  close(error?: Error): void {
    this.finish(error);
    this.socket.destroy();
  }

  private read(piece: Buffer): void {
    try {
      if (!this.over) this.reader.push(piece);
    } catch (error) {
      this.close(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private take(flags: number, message: Uint8Array): void {
    if (this.over) return;
    if (flags === DATA) return this.takeData(message);
    if (flags !== 0) throw new RangeError(`expected an envelope with the flags 0 or 1, came ${flags}`);
    this.events.message(fromBinary(this.reads, message, DECODING));
  }

  private takeData(message: Uint8Array): void {
    if (message.length < OFFSET_BYTES) throw new RangeError('expected the offset of output');
    const offset = new DataView(message.buffer, message.byteOffset).getBigUint64(0);
    if (offset > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError(`expected an offset, came ${offset}`);
    this.events.data(Number(offset), message.subarray(OFFSET_BYTES));
  }

  private finish(error?: Error): void {
    if (this.over) return;
    this.over = true;
    this.events.ended(error);
  }
}
