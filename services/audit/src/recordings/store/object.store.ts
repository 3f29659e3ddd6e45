import { Fault } from '@warren/platform/errors/fault';

/** An object of a list. */
export interface Listed {
  name: string;
  /** When it was written, in milliseconds since 1970. */
  writtenAt: number;
}

/** Bytes that a store has; undefined where it does not say. */
export interface Space {
  free: number;
  total: number;
}

/** Where the objects of recordings are: a folder, or a bucket. Names are paths of {@link NAME}. */
export interface ObjectStore {
  /** What it is, for the log and for people. */
  readonly what: string;
  /** Makes the store ready for its first object. Called only where no row belongs to a store yet. */
  prepare(): Promise<void>;
  /** Writes an object; it is durable when this resolves. Replaces one of the same name as a whole. */
  put(name: string, content: Buffer, signal: AbortSignal): Promise<void>;
  /** Reads an object. @returns undefined if there is none @throws RangeError if it has more than `limit` bytes */
  get(name: string, limit: number, signal: AbortSignal): Promise<Buffer | undefined>;
  /** Removes objects; those that are gone already are left out. */
  remove(names: readonly string[], signal: AbortSignal): Promise<void>;
  /** Lists the objects below a prefix that ends with a slash, or all. */
  list(prefix: string, signal: AbortSignal): AsyncIterable<Listed>;
  space(signal: AbortSignal): Promise<Space | undefined>;
}

/** The object that names the store. Without it, a folder may be a volume that is not mounted. */
export const MARKER = 'warren-recordings';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** `<account>/<recording>/<sequence>-<claim>`, or `s` and the milliseconds of a snapshot. */
export const NAME = new RegExp(`^(?:${MARKER}|${UUID}/${UUID}/(?:\\d{1,10}-\\d{1,10}|s\\d{1,16}))$`);

export const folderOf = (accountId: string, recordingId: string): string => `${accountId}/${recordingId}/`;

export const chunkName = (
  { accountId, recordingId }: { accountId: string; recordingId: string },
  { sequence, claim }: { sequence: number; claim: number },
): string => `${folderOf(accountId, recordingId)}${sequence}-${claim}`;

export const snapshotName = (
  { accountId, recordingId }: { accountId: string; recordingId: string },
  atMs: number,
): string => `${folderOf(accountId, recordingId)}s${atMs}`;

/** @throws Error for a name that could lead elsewhere */
export function requireName(name: string): string {
  if (!NAME.test(name)) throw new Error('expected the name of an object of a recording');
  return name;
}

/** The refusal where nothing can be stored or read now. */
export const storeFault = (reason: string, cause?: unknown) =>
  new Fault('unavailable', reason, { retryAfter: 5, ...(cause !== undefined && { cause }) });
