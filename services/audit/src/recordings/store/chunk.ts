import { createCipheriv, createDecipheriv, createHash, randomBytes, sign, verify, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { ChainKey } from '../../chain/chain.ts';
import type { RecordingKey } from './recording.keys.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Which recording something belongs to. */
export interface Place {
  accountId: string;
  recordingId: string;
}

/** What is bound to the content of a chunk, and covered by its hash. */
export interface ChunkHeader extends Place {
  sequence: number;
  from: number;
  to: number;
  fromMs: number;
  toMs: number;
  /** Bytes of the encoded events. */
  size: number;
  keyVersion: number;
}

/** What the first hash of a recording covers. */
export interface RecordingHeader {
  id: string;
  accountId: string;
  deviceId: string;
  terminal: string;
  kind: number;
  userId: string;
  userEmail: string;
  started: Date;
}

/** The end of a recording, as it is signed. */
export interface RecordingEnd {
  id: string;
  accountId: string;
  chunks: number;
  next: number;
  hash: Buffer;
  ended: Date;
  exit: number | null;
  reason: string;
}

/** Compresses and encrypts content: nonce, ciphertext, tag. The header is authenticated, so it opens in no other place. */
export async function sealContent(header: string, content: Uint8Array, { key }: RecordingKey): Promise<Buffer> {
  const compressed = await compress(content);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(header));
  return Buffer.concat([nonce, cipher.update(compressed), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts content, which is still compressed. @throws Error if it was changed, or sealed for another place or by another key */
export function openContent(header: string, sealed: Buffer, { key }: RecordingKey): Buffer {
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(header)).setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

/** Decompresses content. @throws Error if it has more than `size` bytes */
export async function expand(compressed: Buffer, size: number): Promise<Buffer> {
  return decompress(compressed, { maxOutputLength: size });
}

/** Bytes that sealed content of a size has at most. */
export const sealedLimit = (size: number): number => size + Math.ceil(size / 128) + 1_024;

/** No part can hold a line break. */
export function chunkHeader({ accountId, recordingId, ...rest }: ChunkHeader): string {
  const { sequence, from, to, fromMs, toMs, size, keyVersion } = rest;
  const numbers = [sequence, from, to, fromMs, toMs, size, keyVersion];
  return `warren-recording-chunk-1\n${accountId}\n${recordingId}\n${numbers.join('\n')}\n`;
}

export function snapshotHeader({ accountId, recordingId }: Place, numbers: readonly number[]): string {
  return `warren-recording-snapshot-1\n${accountId}\n${recordingId}\n${numbers.join('\n')}\n`;
}

/** The hash before the first chunk: it covers whose session it is. */
export function firstHash({ id, accountId, deviceId, terminal, kind, userId, userEmail, started }: RecordingHeader) {
  const parts = [accountId, id, deviceId, terminal, String(kind), userId, userEmail, started.toISOString()];
  return createHash('sha256')
    .update(`warren-recording-1\n${JSON.stringify(parts)}\n`)
    .digest();
}

/** SHA-256 of the hash before, the header, and the encrypted content. */
export function hashAfter(previous: Buffer, header: string, sealed: Buffer): Buffer {
  return createHash('sha256').update(previous).update(header).update(sealed).digest();
}

/** Signs the end of a recording; without a key the signature is empty. */
export function signEnd(end: RecordingEnd, key: ChainKey | undefined): { keyId: string; signature: Buffer } {
  if (!key) return { keyId: '', signature: Buffer.alloc(0) };
  return { keyId: key.id, signature: sign(null, statementOf(end), key.key) };
}

/** Why the end of a recording can't be believed; undefined for a good signature. */
export function endProblem(
  end: RecordingEnd,
  { keyId, signature }: { keyId: string; signature: Buffer },
  keys: ReadonlyMap<string, KeyObject>,
): 'unsigned' | 'unknown key' | 'wrong signature' | undefined {
  if (keyId === '') return 'unsigned';
  const key = keys.get(keyId);
  if (!key) return 'unknown key';
  return verify(null, statementOf(end), key, signature) ? undefined : 'wrong signature';
}

function statementOf({ id, accountId, chunks, next, hash, ended, exit, reason }: RecordingEnd): Buffer {
  const parts = [accountId, id, chunks, next, hash.toString('hex'), ended.toISOString(), exit, reason];
  return Buffer.from(`warren-recording-end-1\n${JSON.stringify(parts)}\n`);
}
