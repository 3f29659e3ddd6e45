import type { DescMethod } from '@bufbuild/protobuf';
import { createHash, sign, verify } from 'node:crypto';
import { Fault } from '../errors/fault.ts';
import { mayCall } from '../nats/calls.ts';
import type { Caller } from './caller.ts';
import type { CallerKeys, SigningKey } from './caller.keys.ts';
import type { SeenCalls } from './seen.calls.ts';

/** The only service that turns a session into a person. */
const VOUCHES_FOR_PEOPLE = 'gateway';
/** A signature is good until the call's deadline; calls have shorter ones. */
const MAX_AHEAD_MS = 120_000;

/** As `randomUUID` writes it, so that the memory of seen calls is bounded. */
const NONCE = /^[0-9a-f-]{36}$/;

/** What a signature covers: who asks for what, of whom and until when. */
export interface SignedCall {
  /** Service, process if one was chosen, and method. */
  subject: string;
  /** Milliseconds since 1970, in decimal. */
  deadline: string;
  /** The `warren-nonce` header. */
  nonce: string;
  /** The `warren-caller` header. */
  caller: string;
  request: Uint8Array;
}

/** The `warren-signature` header: the key's id, a dot and the Ed25519 signature (RFC 8032) in base64url. */
export function signCall({ id, key }: SigningKey, call: SignedCall): string {
  return `${id}.${sign(null, signedBytes(call), key).toString('base64url')}`;
}

/** The service whose key a `warren-signature` header names; undefined for a call without a known key. Nothing is verified yet. */
export function claimedSigner(keys: CallerKeys, header: string): string | undefined {
  return keys.known?.get(header.split('.', 1)[0] ?? '')?.service;
}

/**
 * Lets a call through whose caller is vouched for: a person by the gateway, a service by itself, and each for the methods that it
 * calls. A call is let through once. A process that knows no keys lets every call through.
 * @throws Fault `unauthenticated` for anything else; `resource_exhausted` if too many calls are remembered
 */
export function verifyCall(
  keys: CallerKeys,
  header: string,
  call: SignedCall,
  of: { method: DescMethod; caller: Caller; seen: SeenCalls },
) {
  if (!keys.known || (header === '' && keys.acceptUnsigned)) return;
  if (header === '') throw refused('it is not signed');
  const [id = '', signature = ''] = header.split('.', 2);
  const signer = keys.known.get(id);
  if (!signer) throw refused('its key is not known');
  if (!NONCE.test(call.nonce)) throw refused('its nonce is no UUID');
  const left = Number(call.deadline || Number.NaN) - Date.now();
  if (!(left < MAX_AHEAD_MS)) throw refused('its deadline is too far ahead');
  if (!verify(null, signedBytes(call), signer.key, Buffer.from(signature, 'base64url')))
    throw refused('its signature is wrong');
  requireRights(signer.service, of.method, of.caller);
  if (!of.seen.add(signer.service, `${id}.${call.nonce}`, Number(call.deadline))) throw refused('it was made before');
}

/**
 * Refuses a call that a service may not make, or makes for a caller that it does not vouch for.
 * @throws Fault `unauthenticated`
 */
export function requireRights(service: string, method: DescMethod, caller: Caller): void {
  if (!speaksFor(service, caller)) throw refused(`${service} does not vouch for its caller`);
  if (!mayCall(service, method)) throw refused(`${service} does not call ${method.name}`);
}

function speaksFor(service: string, { kind }: Caller): boolean {
  return kind.case === 'service' ? kind.value.name === service : service === VOUCHES_FOR_PEOPLE;
}

function refused(why: string): Fault {
  return new Fault('unauthenticated', `The call is refused: ${why}.`);
}

/** No part but the last can hold a line break. */
function signedBytes({ subject, deadline, nonce, caller, request }: SignedCall): Buffer {
  const digest = createHash('sha256').update(request).digest();
  return Buffer.concat([Buffer.from(`warren-call-1\n${subject}\n${deadline}\n${nonce}\n${caller}\n`), digest]);
}
