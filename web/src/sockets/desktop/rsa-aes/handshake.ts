import { equalBytes } from '@noble/ciphers/utils.js';
import { desktop as text } from '../../../lib/messages/desktop.ts';
import type { CredentialKind, Credentials } from '../types.ts';
import type { Inbox } from './inbox.ts';
import { decryptBy, encryptFor, makeKey, readKey } from './keys.ts';
import type { PublicKey } from './keys.ts';
import { Opener, Sealer } from './sealed.ts';
import { RsaAesError } from './types.ts';
import type { RsaAesType } from './types.ts';

/** The hash of each variant, and the length of its keys and random numbers. */
const WAYS = { 5: { hash: 'SHA-1', keyBytes: 16 }, 129: { hash: 'SHA-256', keyBytes: 32 } } as const;

/** The credentials that the server requests, by its number. */
const ASKED: Readonly<Record<number, CredentialKind[]>> = { 1: ['username', 'password'], 2: ['password'] };
const LONGEST_CREDENTIAL = 255;

/** The two ends of a handshake: the server, and the person at the page. */
export interface Parties {
  inbox: Inbox;
  send: (bytes: Uint8Array) => void;
  /** Settles when the person confirms the server's key. */
  approved: (key: Uint8Array<ArrayBuffer>) => Promise<void>;
  credentials: (kinds: CredentialKind[]) => Promise<Credentials>;
}

/** The ciphers of the connection. */
export interface Ciphers {
  sealer: Sealer;
  opener: Opener;
}

/** Signs in by RSA-AES (community RFB specification; TigerVNC's CSecurityRSAAES), up to the server's encrypted answer. */
export async function shakeHands(type: RsaAesType, parties: Parties): Promise<Ciphers> {
  const { inbox, send } = parties;
  const theirs = await readKey((size) => inbox.take(size));
  await parties.approved(theirs.wire);
  const ours = await makeKey();
  send(ours.wire);
  const random = crypto.getRandomValues(new Uint8Array(WAYS[type].keyBytes));
  send(withLength(encryptFor(theirs, random)));
  const length = await inbox.take(2);
  if (u16(length) !== ours.size) throw new RsaAesError(text.rsaAes.random);
  const random2 = decryptBy(ours, await inbox.take(ours.size));
  if (random2.length !== random.length) throw new RsaAesError(text.rsaAes.random);
  const ciphers = await ciphersOf(type, random, random2);
  inbox.through((bytes) => ciphers.opener.open(bytes));
  await compareKeys(type, parties, ciphers, { ours, theirs });
  const [asked = 0] = await inbox.take(1);
  const kinds = ASKED[asked];
  if (!kinds) throw new RsaAesError(text.rsaAes.asked(asked));
  send(ciphers.sealer.seal(encoded(kinds, await parties.credentials(kinds))));
  return ciphers;
}

/** One key for each direction, derived from both random numbers. */
async function ciphersOf(type: RsaAesType, ours: Uint8Array, theirs: Uint8Array): Promise<Ciphers> {
  const { keyBytes } = WAYS[type];
  const [sent, received] = await Promise.all([hash(type, theirs, ours), hash(type, ours, theirs)]);
  return { sealer: new Sealer(sent.subarray(0, keyBytes)), opener: new Opener(received.subarray(0, keyBytes)) };
}

/** Both sides confirm the keys that they have seen, which detects a man in the middle. */
async function compareKeys(
  type: RsaAesType,
  { inbox, send }: Parties,
  { sealer }: Ciphers,
  { ours, theirs }: { ours: PublicKey; theirs: PublicKey },
): Promise<void> {
  send(sealer.seal(await hash(type, ours.wire, theirs.wire)));
  const expected = await hash(type, theirs.wire, ours.wire);
  if (!equalBytes(await inbox.take(expected.length), expected)) throw new RsaAesError(text.rsaAes.hash);
}

/** Name and password, each prefixed with its length; without a name, an empty one. */
function encoded(kinds: readonly CredentialKind[], given: Credentials): Uint8Array {
  const encoder = new TextEncoder();
  const parts = (['username', 'password'] as const).map((kind) =>
    encoder.encode(kinds.includes(kind) ? (given[kind] ?? '') : ''),
  );
  if (parts.some((part) => part.length > LONGEST_CREDENTIAL)) throw new RsaAesError(text.rsaAes.tooLong, 'security');
  return new Uint8Array(parts.flatMap((part) => [part.length, ...part]));
}

async function hash(type: RsaAesType, first: Uint8Array, second: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest(WAYS[type].hash, new Uint8Array([...first, ...second])));
}

function withLength(bytes: Uint8Array): Uint8Array {
  return new Uint8Array([bytes.length >> 8, bytes.length & 0xff, ...bytes]);
}

function u16(bytes: Uint8Array): number {
  return ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
}
