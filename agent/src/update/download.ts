import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { plainError } from '../link/plain.ts';
import { onProxyRefusal, routeTo } from '../link/route.ts';
import { UpdateRefused, type Package } from './release.ts';

/** Milliseconds without a byte. */
const SILENCE_MS = 60_000;
const TEXT_MAX = 64 * 1024;

/**
 * A short file of the hub.
 * @throws Error whose message names the step that failed
 */
export async function fetchSmall(hub: string, path: string): Promise<Buffer> {
  return asked(hub, path, async (answer) => {
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
 * Brings a package into a file. What is not what the signed list says is taken away again.
 * @throws UpdateRefused for another size or SHA-256; Error whose message names the step that failed
 */
export async function fetchPackage(hub: string, path: string, wanted: Package, file: string): Promise<void> {
  try {
    await asked(hub, path, async (answer) => {
      const output = createWriteStream(file, { mode: 0o600, flags: 'w' });
      checkHash(wanted, await copyBounded(answer, output, wanted.size));
    });
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

/**
 * Copies no more than `size` bytes.
 * @returns their SHA-256, hexadecimal
 * @throws UpdateRefused when there are more
 */
export async function copyBounded(from: Readable, to: NodeJS.WritableStream, size: number): Promise<string> {
  const hash = createHash('sha256');
  let copied = 0;
  const counted = async function* (source: AsyncIterable<Buffer>) {
    for await (const piece of source) {
      copied += piece.length;
      if (copied > size) throw new UpdateRefused(`the package is longer than the ${size} bytes that were signed`);
      hash.update(piece);
      yield piece;
    }
  };
  await pipeline(from, counted, to);
  return hash.digest('hex');
}

/** @throws UpdateRefused */
export function checkHash({ file, sha256 }: Package, actual: string): void {
  if (actual !== sha256) throw new UpdateRefused(`${file} is damaged: its sha256 is ${actual}, signed was ${sha256}`);
}

async function asked<T>(hub: string, path: string, read: (answer: IncomingMessage) => Promise<T>): Promise<T> {
  const url = new URL(path, hub);
  const { agent, proxy } = routeTo(hub);
  const request = (url.protocol === 'https:' ? https : http).request(url, { agent });
  request.setTimeout(SILENCE_MS, () => request.destroy(new Error('connection: no byte came for a minute')));
  let refusal: number | undefined;
  onProxyRefusal(request, (status) => (refusal = status));
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', reject);
  });
  request.end();
  try {
    const answer = await answered;
    if (refusal !== undefined) throw new Error(`proxy: ${proxy} answered ${refusal}`);
    if (answer.statusCode !== 200) throw new Error(`the hub answered ${answer.statusCode} to ${url.pathname}`);
    return await read(answer);
  } catch (error) {
    if (error instanceof UpdateRefused) throw error;
    throw new Error(plainError(error), { cause: error });
  } finally {
    request.destroy();
  }
}
