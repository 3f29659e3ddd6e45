import { readFile, stat } from 'node:fs/promises';

const MAX_BYTES = 4 * 1024 * 1024;
const FETCH_TIMEOUT_MS = 5_000;

/** A source of metadata. */
export interface MetadataSource {
  /** Milliseconds between reads after the first success. */
  readonly everyMs: number;
  /** @returns the document; undefined if it has not changed. Rejects if it can't be read. */
  read(): Promise<string | undefined>;
}

/** Returns the source for an http(s) URL or the path of a file. */
export function metadataSource(place: string): MetadataSource {
  return /^https?:\/\//i.test(place) ? new AddressSource(place) : new FileSource(place);
}

class FileSource implements MetadataSource {
  readonly everyMs = 2_000;
  private seen = '';

  constructor(private readonly path: string) {}

  async read(): Promise<string | undefined> {
    const { mtimeMs, size, ino } = await stat(this.path);
    const now = `${mtimeMs} ${size} ${ino}`;
    if (now === this.seen) return undefined;
    if (size > MAX_BYTES) throw new Error(`${this.path}: expected at most ${MAX_BYTES} bytes (came: ${size})`);
    const text = await readFile(this.path, 'utf8');
    this.seen = now;
    return text;
  }
}

class AddressSource implements MetadataSource {
  readonly everyMs = 3_600_000;

  constructor(private readonly url: string) {}

  async read(): Promise<string> {
    const response = await fetch(this.url, {
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
      headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml' },
    });
    if (!response.ok) throw new Error(`${this.url} answered ${response.status}`);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new Error(`${this.url}: expected at most ${MAX_BYTES} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }
}
