const BLOCK = 512;

/** A file of a tar archive. */
export interface TarFile {
  name: string;
  /** Its bytes; the last ones if it exceeds the limit. */
  bytes: Buffer;
  /** Its original size in bytes. */
  size: number;
}

const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, '0')}\0`;

/** The header of a file (POSIX ustar), readable by its owner alone. */
export function tarHeader(name: string, size: number, modified: Date): Buffer {
  const header = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(name) > 100) throw new Error(`file name: ${name}, expected 100 bytes at most`);
  header.write(name, 0);
  header.write(octal(0o600, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(Math.floor(modified.getTime() / 1000), 12), 136);
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\0' + '00', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** Returns the padding of a file to whole blocks. */
export const tarPadding = (size: number) => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);

/** The end of an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

const text = (block: Buffer, from: number, length: number) =>
  block.toString('utf8', from, from + length).replace(/\0[\s\S]*$/, '');

/** Reads exact numbers of bytes from a stream. */
class Reader {
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.chunks = source[Symbol.asyncIterator]();
  }

  /** Reads up to `count` bytes; none at the end of the stream. */
  async some(count: number): Promise<Buffer> {
    while (this.rest.length === 0) {
      const { value, done } = await this.chunks.next();
      if (done) return Buffer.alloc(0);
      this.rest = value;
    }
    const taken = this.rest.subarray(0, count);
    this.rest = this.rest.subarray(taken.length);
    return taken;
  }

  /** Reads `count` bytes and returns the last `keep`. @throws Error if the stream ends before */
  async last(count: number, keep = count): Promise<Buffer> {
    const parts: Buffer[] = [];
    let held = 0;
    for (let left = count; left > 0;) {
      const part = await this.some(left);
      if (part.length === 0) throw new Error(`the archive ends ${left} bytes too early`);
      left -= part.length;
      parts.push(part);
      held += part.length;
      while (parts[0] && held - parts[0].length >= keep) held -= parts.shift()?.length ?? 0;
    }
    const all = Buffer.concat(parts);
    return all.subarray(Math.max(0, all.length - keep));
  }
}

/** Reads the files of a tar archive (ustar) in sequence, at most the last `limit` bytes of each. */
export async function* readTar(source: AsyncIterable<Buffer>, limit: number): AsyncGenerator<TarFile> {
  const reader = new Reader(source);
  for (;;) {
    const block = await reader.last(BLOCK);
    // Reads the final blocks of zeros too, so that the writer's pipe does not break.
    if (block.every((byte) => byte === 0)) {
      while ((await reader.some(1 << 16)).length > 0);
      return;
    }
    const size = Number.parseInt(text(block, 124, 12), 8);
    if (!text(block, 257, 5).startsWith('ustar') || !Number.isSafeInteger(size)) {
      throw new Error('the input is no tar archive of the format ustar');
    }
    const prefix = text(block, 345, 155);
    const name = `${prefix && `${prefix}/`}${text(block, 0, 100)}`.replace(/^\.\//, '');
    const bytes = await reader.last(size, limit);
    await reader.last(tarPadding(size).length);
    if (/^[0\0]$/.test(block.toString('latin1', 156, 157))) yield { name, bytes, size };
  }
}
