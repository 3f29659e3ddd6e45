import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Redactor } from './redact.ts';
import { TAR_END, tarHeader, tarPadding } from './tar.ts';

/** Maximum bytes of a file. */
export const FILE_BYTES = 4_000_000;

/** Writes a `.tar.gz` of texts, each redacted, up to a size. */
export class Archive {
  private readonly gzip = createGzip();
  private readonly done: Promise<unknown>;
  private readonly redactor: Redactor;
  private readonly modified = new Date();
  private readonly written: { name: string; bytes: number }[] = [];
  private readonly shortened: string[] = [];
  private left: number;

  constructor(to: Writable, redactor: Redactor, limit: number) {
    this.redactor = redactor;
    this.left = limit;
    // stdout can't be ended, and writes to a pipe synchronously.
    this.done = pipeline(this.gzip, to, { end: to !== process.stdout });
    this.done.catch(() => {});
  }

  /** The files so far, with their sizes. */
  get files(): readonly { name: string; bytes: number }[] {
    return this.written;
  }

  /** Omitted parts, a line each. */
  get cut(): readonly string[] {
    return this.shortened;
  }

  /**
   * Adds a file. Keeps the end of a text that is too large, as logs have their latest lines there.
   * @param cutBefore bytes that the source has cut from the beginning
   */
  async add(name: string, text: string, cutBefore = 0): Promise<void> {
    const clean = Buffer.from(this.redactor.redact(text));
    const room = Math.min(FILE_BYTES, this.left);
    const kept = lastLines(clean, room);
    const lost = clean.length - kept.length + cutBefore;
    if (lost > 0) this.shortened.push(`${name}: ${lost} bytes from the beginning, the limit is ${room}`);
    if (clean.length > 0 && kept.length === 0) return;
    this.left -= kept.length;
    this.written.push({ name, bytes: kept.length });
    await this.write(name, kept);
  }

  /** Ends the archive with a list of its files and omissions. */
  async finish(): Promise<void> {
    const files = this.written.map(({ name, bytes }) => `${String(bytes).padStart(10)}  ${name}`);
    const cut = this.shortened.length > 0 ? ['', 'Cut:', ...this.shortened] : ['', 'Nothing was cut.'];
    await this.write('contents.txt', Buffer.from(`${[...files, ...cut].join('\n')}\n`));
    this.gzip.end(TAR_END);
    await this.done;
  }

  private async write(name: string, bytes: Buffer): Promise<void> {
    const header = tarHeader(`warren-bundle/${name}`, bytes.length, this.modified);
    if (this.gzip.destroyed) await this.done;
    const fits = this.gzip.write(Buffer.concat([header, bytes, tarPadding(bytes.length)]));
    if (!fits) await Promise.race([once(this.gzip, 'drain'), this.done]);
  }
}

function lastLines(bytes: Buffer, limit: number): Buffer {
  if (bytes.length <= limit) return bytes;
  const end = bytes.subarray(bytes.length - limit);
  const line = end.indexOf(0x0a);
  return line < 0 ? end.subarray(end.length) : end.subarray(line + 1);
}
