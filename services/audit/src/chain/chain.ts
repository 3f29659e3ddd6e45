import { createHash, type KeyObject, sign, verify } from 'node:crypto';

/** The part of an event that its hash covers. */
export interface Hashed {
  id: string;
  time: Date;
  accountId: string;
  sequence: bigint;
  /** The event as stored, JSON. */
  event: string;
}

/** A place in a chain: the event of that sequence has that hash. */
export interface Place {
  accountId: string;
  sequence: bigint;
  hash: Buffer;
}

/** What a checkpoint says: the chain ends there at that time, or its events up to there are removed for their age. */
export type CheckpointKind = 'head' | 'removal';

/** A signed place. */
export interface Checkpoint extends Place {
  kind: CheckpointKind;
  time: Date;
  keyId: string;
  signature: Buffer;
}

/** An Ed25519 key (RFC 8032) that signs. */
export interface ChainKey {
  id: string;
  key: KeyObject;
}

/** The hash before the first event of an account. */
export function firstHash(accountId: string): Buffer {
  return createHash('sha256').update(`warren-audit-1\n${accountId}\n`).digest();
}

/** SHA-256 of the hash before, and of the event with its id, time, account and place. */
export function hashAfter(previous: Buffer, { id, time, accountId, sequence, event }: Hashed): Buffer {
  // No part but the last can hold a line break.
  const head = `${accountId}\n${sequence}\n${id}\n${time.toISOString()}\n`;
  return createHash('sha256').update(previous).update(head).update(event).digest();
}

/** Signs a place; without a key the signature is empty. */
export function signPlace(place: Place, kind: CheckpointKind, time: Date, key: ChainKey | undefined): Checkpoint {
  const unsigned = { ...place, kind, time };
  if (!key) return { ...unsigned, keyId: '', signature: Buffer.alloc(0) };
  return { ...unsigned, keyId: key.id, signature: sign(null, statementOf(unsigned), key.key) };
}

/** Why a checkpoint can't be believed; undefined for a good signature. */
export function signatureProblem(
  checkpoint: Checkpoint,
  keys: ReadonlyMap<string, KeyObject>,
): 'unsigned' | 'unknown key' | 'wrong signature' | undefined {
  if (checkpoint.keyId === '') return 'unsigned';
  const key = keys.get(checkpoint.keyId);
  if (!key) return 'unknown key';
  return verify(null, statementOf(checkpoint), key, checkpoint.signature) ? undefined : 'wrong signature';
}

function statementOf({ kind, accountId, sequence, hash, time }: Omit<Checkpoint, 'keyId' | 'signature'>): Buffer {
  const parts = [kind, accountId, String(sequence), hash.toString('hex'), time.toISOString()];
  return Buffer.from(`warren-audit-checkpoint-1\n${parts.join('\n')}\n`);
}
