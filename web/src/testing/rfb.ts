import { constants, createDeflate } from 'node:zlib';
import type { RecordedEvent } from '@warren/rules/recordings/frames';

const WIDTH = 16;
const HEIGHT = 12;

const u16 = (value: number) => [value >> 8, value & 0xff];
const u32 = (value: number) => [...u16(value >>> 16), ...u16(value & 0xffff)];
const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0));

const NAME = 'desk';
export const VERSION = ascii('RFB 003.008\n');
export const RESULT_OK = u32(0);
/** ServerInit (RFC 6143, section 7.3.2). noVNC asks for pixels of 32 bits: red, green, blue. */
export const SERVER_INIT = [
  ...[...u16(WIDTH), ...u16(HEIGHT)],
  ...[32, 24, 0, 1, ...u16(255), ...u16(255), ...u16(255), 16, 8, 0, 0, 0, 0],
  ...[...u32(NAME.length), ...ascii(NAME)],
];
/** Up to the picture, by a password. */
export const BY_PASSWORD = [...VERSION, 1, 2, ...Array.from({ length: 16 }, (_, at) => at), ...RESULT_OK];
export const BELL = [2];
/** Extended clipboard: that the server can do all, then a text of which noVNC would have to be asked. */
export const CLIPBOARD = [
  ...[3, 0, 0, 0, ...u32(-8 >>> 0), ...u32(0x1f00_0001), ...u32(0)],
  ...[3, 0, 0, 0, ...u32(-24 >>> 0), ...u32(0x1000_0001), ...clip('secret\0')],
];

function clip(text: string): number[] {
  // Stored in zlib without compression (RFC 1951, section 3.2.4).
  const bytes = [...u32(text.length), ...ascii(text)];
  const size = [bytes.length, 0, bytes.length ^ 0xff, 0xff];
  const content = [0x78, 0x01, 0x01, ...size, ...bytes];
  return [...content, ...Array.from({ length: 20 - content.length }, () => 0)];
}

interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
  colour: readonly [number, number, number];
}

/** A desktop that changes, and what its VNC server sends: rectangles as they are, and compressed as one stream. */
export class RfbSession {
  private readonly drawn = Buffer.alloc(WIDTH * HEIGHT * 4);
  private readonly stream = createDeflate();
  private compressed: Buffer[] = [];

  constructor() {
    this.stream.on('data', (part: Buffer) => this.compressed.push(part));
  }

  /** All pixels in hexadecimal. */
  get pixels(): string {
    return this.drawn.toString('hex');
  }

  /** Changes a rectangle. @returns the update for the viewer */
  async update(rect: Rect, isCompressed: boolean): Promise<number[]> {
    const { x, y, width, height, colour } = rect;
    const [red, green, blue] = colour;
    const bytes = Array.from({ length: width * height }, () => [red, green, blue, 0]).flat();
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++)
        this.drawn.set([red, green, blue, 255], ((y + row) * WIDTH + x + column) * 4);
    const content = isCompressed ? await this.deflate(bytes) : bytes;
    const encoding = isCompressed ? 6 : 0;
    return [0, 0, ...u16(1), ...[x, y, width, height].flatMap(u16), ...u32(encoding), ...content];
  }

  private async deflate(bytes: number[]): Promise<number[]> {
    this.compressed = [];
    this.stream.write(Buffer.from(bytes));
    await new Promise<void>((resolve) => this.stream.flush(constants.Z_SYNC_FLUSH, () => resolve()));
    const content = Buffer.concat(this.compressed);
    return [...u32(content.length), ...content];
  }
}

/** Output of a VNC server at a time. */
export const sent = (atMs: number, bytes: readonly number[]): RecordedEvent => ({
  atMs,
  kind: 'output',
  bytes: Uint8Array.from(bytes),
});
