import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream/promises';
import { fileError } from '../errors.ts';
import { Attempt } from '../link/attempt.ts';
import { routeTo } from '../link/route.ts';
import { Unreachable } from '../link/plain.ts';
import { whyUnreachable } from '../link/unreachable.ts';
import { UpdateRefused, type Package } from './release.ts';
import { sha256Of } from './runtime.ts';

/** Milliseconds without a byte. */
const SILENCE_MS = 60_000;
const TEXT_MAX = 64 * 1024;

/** A download with fewer bytes than this in so many milliseconds is aborted. */
export interface Pace {
  bytes: number;
  ms: number;
}
/** 1 KiB/s, slower than any link on which a device is usable. */
const PACE: Pace = { bytes: 60 * 1024, ms: 60_000 };

/** The target of a download, and what aborts it. */
export interface Download {
  /** The partial file; kept when the download breaks off, so that the next one resumes it. */
  part: string;
  /** The complete, verified package. */
  file: string;
  signal: AbortSignal;
  pace?: Pace;
}

/**
 * Downloads a short file from the hub.
 * @throws Error whose message names the step that failed
 */
export async function fetchSmall(hub: string, path: string, signal: AbortSignal): Promise<Buffer> {
  return asked(new URL(path, hub), { signal }, async (answer) => {
    requireStatus(answer, path, 200);
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of answer) {
      pieces.push(piece as Buffer);
      size += (piece as Buffer).length;
      if (size > TEXT_MAX) throw new UpdateRefused(`${path} is longer than ${TEXT_MAX} bytes`);
    }
    return Buffer.concat(pieces);
  });
}

/**
 * Downloads a package into a file, and resumes a download that broke off (RFC 9110, section 14.2; If-Range with the SHA-256 as ETag).
 * @throws UpdateRefused for another size or SHA-256; Error whose message names the step that failed
 */
export async function fetchPackage(hub: string, path: string, wanted: Package, download: Download): Promise<void> {
  const { part, file } = download;
  let had = await sizeOf(part);
  for (;;) {
    if (had !== wanted.size) had = await bring(new URL(path, hub), wanted, had, download);
    const size = await sizeOf(part);
    if (size < wanted.size) throw new Error(`connection: it ended after ${size} of ${wanted.size} bytes`);
    const actual = await sha256Of(part);
    if (actual === wanted.sha256) return rename(part, file);
    await rm(part, { force: true });
    // A partial file may be damaged, so retry without it. A complete package that differs would differ again.
    if (had === 0) throw damaged(wanted, actual);
    had = 0;
  }
}

/** Bytes in a file; 0 when it does not exist. */
export async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Refuses a package that differs from the signed one. */
export function damaged({ file, sha256 }: Package, actual: string): UpdateRefused {
  return new UpdateRefused(`${file} is damaged: its sha256 is ${actual}, signed was ${sha256}`);
}

/**
 * Passes on bytes up to the size of a package.
 * @param copied bytes of it that are already there
 * @throws UpdateRefused when there are more
 */
export function bounded(size: number, copied = 0): (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* (source) {
    for await (const piece of source) {
      copied += piece.length;
      if (copied > size) throw new UpdateRefused(`the package is longer than the ${size} bytes that were signed`);
      yield piece;
    }
  };
}

/** Appends the missing bytes. @returns the bytes of the part that were kept: 0 when the hub sent the whole package */
async function bring(url: URL, wanted: Package, had: number, { part, signal, pace }: Download): Promise<number> {
  const kept = had < wanted.size ? had : 0;
  const headers: Record<string, string> = kept > 0 ? { Range: `bytes=${kept}-`, 'If-Range': `"${wanted.sha256}"` } : {};
  return asked(url, { signal, headers, pace: pace ?? PACE }, async (answer) => {
    // The partial file is useless: the next attempt starts at the first byte.
    if (answer.statusCode === 416) await rm(part, { force: true });
    requireStatus(answer, url.pathname, 200, 206);
    const from = answer.statusCode === 206 ? kept : 0;
    if (answer.statusCode === 206 && !answer.headers['content-range']?.startsWith(`bytes ${kept}-`))
      throw new Error(`the hub answered another part of ${url.pathname} than asked for`);
    const output = createWriteStream(part, { mode: 0o600, flags: from > 0 ? 'a' : 'w' });
    await pipeline(answer, bounded(wanted.size, from), output).catch(async (error: unknown) => {
      if (error instanceof UpdateRefused) await rm(part, { force: true });
      throw error;
    });
    return from;
  });
}

function requireStatus({ statusCode = 0 }: IncomingMessage, path: string, ...good: number[]): void {
  if (!good.includes(statusCode)) throw new Error(`the hub answered ${statusCode} to ${path}`);
}

interface Asking {
  signal: AbortSignal;
  headers?: Record<string, string>;
  pace?: Pace;
}

async function asked<T>(url: URL, asking: Asking, read: (answer: IncomingMessage) => Promise<T>): Promise<T> {
  const { signal, headers = {}, pace } = asking;
  const { agent, proxy } = routeTo(url.origin);
  const request = (url.protocol === 'https:' ? https : http).request(url, { agent, headers, signal });
  request.setTimeout(SILENCE_MS, () => request.destroy(new Error('connection: no byte came for a minute')));
  const attempt = new Attempt();
  attempt.follow(request);
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', reject);
  });
  request.end();
  let stopWatching: (() => void) | undefined;
  let answering = false;
  try {
    const answer = await answered;
    answering = true;
    if (attempt.refusal !== undefined)
      throw new Unreachable(`proxy: ${proxy} answered ${attempt.refusal}`, 'proxy', []);
    if (pace) stopWatching = watchPace(answer, pace);
    return await read(answer);
  } catch (error) {
    if (error instanceof UpdateRefused) throw error;
    throw fileError(error) ?? (await whyUnreachable(error, url.origin, answering ? 'connection' : attempt.step));
  } finally {
    stopWatching?.();
    request.destroy();
  }
}

/** Aborts a response that has become too slow. */
function watchPace(answer: IncomingMessage, { bytes, ms }: Pace): () => void {
  let before = answer.socket.bytesRead;
  const timer = setInterval(() => {
    const now = answer.socket.bytesRead;
    if (now - before < bytes)
      answer.destroy(new Error(`connection: fewer than ${bytes} bytes came in ${ms / 1000} seconds`));
    before = now;
  }, ms);
  timer.unref();
  return () => clearInterval(timer);
}
