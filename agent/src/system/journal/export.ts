const NEWLINE = 0x0a;
const EQUALS = 0x3d;
/** Longest name of a field (systemd.journal-fields(7)), with room to spare. */
const NAME_MAX = 256;
const LENGTH_BYTES = 8;
const NO_JOURNAL = 'not in the journal export format';

/** A field's value: its beginning, and its total size in bytes. */
interface FieldValue {
  /** May point into the piece that was passed to the parser. */
  kept: Buffer;
  size: number;
}

/** One entry: the first value of each selected field. */
export type ExportEntry = Map<string, FieldValue>;

/** The current field: how many bytes are missing, and its destination. */
interface OpenField {
  name: string;
  keep: number;
  kept: Buffer;
  size: number;
  /** Missing bytes of a value of known length; undefined for one that ends with its line. */
  left: number | undefined;
}

/**
 * Parses the Journal Export Format (systemd.io/JOURNAL_EXPORT_FORMATS) in pieces of any size. It keeps only the requested part of a
 * value, so that memory stays bounded however long a message is.
 */
export class ExportParser {
  private keep: Record<string, number>;
  private rest: Buffer = Buffer.alloc(0);
  /** How much of `#rest` has been parsed. */
  private at = 0;
  private field: OpenField | undefined;
  private entry: ExportEntry = new Map();

  /** @param keep the fields to keep, each with its maximum size; other fields are skipped */
  constructor(keep: Record<string, number>) {
    this.keep = keep;
  }

  /**
   * Parses the next piece.
   * @returns the entries that it completes
   * @throws Error when this is no journal
   */
  push(chunk: Buffer): ExportEntry[] {
    const entries: ExportEntry[] = [];
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    this.at = 0;
    while (this.at < this.rest.length) {
      const taken = this.field ? this.readValue(this.field) : this.readName(entries);
      if (!taken) break;
    }
    this.rest = this.rest.subarray(this.at);
    return entries;
  }

  /** False when more bytes are needed. */
  private readName(entries: ExportEntry[]): boolean {
    const end = this.endOfName();
    if ((end === -1 ? this.rest.length : end) - this.at > NAME_MAX) throw new Error(NO_JOURNAL);
    if (end === -1) return false;
    const isText = this.rest[end] === EQUALS;
    if (!isText && end === this.at) {
      this.at++;
      if (this.entry.size > 0) entries.push(this.entry);
      this.entry = new Map();
      return true;
    }
    const value = end + 1 + (isText ? 0 : LENGTH_BYTES);
    if (this.rest.length < value) return false;
    const name = this.rest.toString('latin1', this.at, end);
    const left = isText ? undefined : Number(this.rest.readBigUInt64LE(end + 1));
    const keep = this.entry.has(name) ? 0 : (this.keep[name] ?? 0);
    this.field = { name, keep, kept: Buffer.alloc(0), size: 0, left };
    this.at = value;
    return true;
  }

  /** A name ends at the `=` before its text, or with its line when a length follows; -1 when neither has arrived. */
  private endOfName(): number {
    const line = this.rest.indexOf(NEWLINE, this.at);
    const sign = this.rest.indexOf(EQUALS, this.at);
    return line === -1 || sign === -1 ? Math.max(line, sign) : Math.min(line, sign);
  }

  private readValue(field: OpenField): boolean {
    if (field.left === undefined) {
      const end = this.rest.indexOf(NEWLINE, this.at);
      this.take(field, (end === -1 ? this.rest.length : end) - this.at);
      if (end !== -1) this.finish(field);
      return true;
    }
    const part = Math.min(field.left, this.rest.length - this.at);
    this.take(field, part);
    field.left -= part;
    if (field.left > 0 || this.at === this.rest.length) return false;
    if (this.rest[this.at] !== NEWLINE) throw new Error(NO_JOURNAL);
    this.finish(field);
    return true;
  }

  private take(field: OpenField, bytes: number): void {
    const room = Math.min(bytes, field.keep - field.kept.length);
    if (room > 0) {
      const part = this.rest.subarray(this.at, this.at + room);
      field.kept = field.kept.length === 0 ? part : Buffer.concat([field.kept, part]);
    }
    field.size += bytes;
    this.at += bytes;
  }

  /** The newline after a value belongs to it. */
  private finish({ name, keep, kept, size }: OpenField): void {
    this.at++;
    this.field = undefined;
    if (keep > 0) this.entry.set(name, { kept, size });
  }
}
