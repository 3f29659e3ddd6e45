import { create, fromBinary, toBinary, type DescMethodUnary, type DescService } from '@bufbuild/protobuf';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { randomUUID } from 'node:crypto';
import { BadRequestSchema } from '@warren/proto/common/v1/common';
import { Fault, isFaultCode } from '../errors/fault.ts';
import { encodeCaller, type Caller } from './caller.ts';
import type { SigningKey } from './caller.keys.ts';
import { signCall } from './signature.ts';

/** Header names of a call and of its answer. */
export const HEADER = {
  caller: 'warren-caller',
  /** See signature.ts. */
  signature: 'warren-signature',
  /** Never the same for two calls; covered by the signature. */
  nonce: 'warren-nonce',
  /** Milliseconds since 1970 after which the caller no longer waits for the answer. */
  deadline: 'warren-deadline',
  code: 'warren-code',
  message: 'warren-message',
  subject: 'warren-subject',
  retryAfter: 'warren-retry-after',
  otherAccount: 'warren-other-account',
} as const;

/**
 * Subject prefix of a service; a method's name follows it.
 * @param instance one process of the service; any of them when not given
 */
export function subjectPrefix(service: DescService, instance?: string): string {
  return instance === undefined ? service.typeName : `${service.typeName}.at.${instance}`;
}

export function subjectOf(method: DescMethodUnary, instance?: string): string {
  return `${subjectPrefix(method.parent, instance)}.${method.name}`;
}

/** What is asked of whom until when (milliseconds since 1970). */
export interface OutgoingCall {
  subject: string;
  caller: Caller;
  deadline: number;
  request: Uint8Array;
}

/** The headers of a call, with a signature if there is a key. */
export function requestHeaders({ subject, caller, deadline, request }: OutgoingCall, key?: SigningKey): MsgHdrs {
  const hdrs = headers();
  const said = { caller: encodeCaller(caller), deadline: String(deadline), nonce: randomUUID() };
  hdrs.set(HEADER.caller, said.caller);
  hdrs.set(HEADER.deadline, said.deadline);
  if (key) {
    hdrs.set(HEADER.nonce, said.nonce);
    hdrs.set(HEADER.signature, signCall(key, { ...said, subject, request }));
  }
  return hdrs;
}

/** A fault as headers and body. Header values are one line of ASCII, so the text is percent-encoded. */
export function encodeFault(fault: Fault): { hdrs: MsgHdrs; body: Uint8Array } {
  const hdrs = headers();
  hdrs.set(HEADER.code, fault.code);
  hdrs.set(HEADER.message, encodeURIComponent(fault.message));
  if (fault.subject !== undefined) hdrs.set(HEADER.subject, encodeURIComponent(fault.subject));
  if (fault.retryAfter !== undefined) hdrs.set(HEADER.retryAfter, String(fault.retryAfter));
  if (fault.otherAccount) hdrs.set(HEADER.otherAccount, 'yes');
  const body = toBinary(BadRequestSchema, create(BadRequestSchema, { problems: fault.problems }));
  return { hdrs, body };
}

/** The fault in an answer, or nothing when the answer is a result. */
export function decodeFault(hdrs: MsgHdrs | undefined, body: Uint8Array): Fault | undefined {
  const code = hdrs?.get(HEADER.code);
  if (!hdrs || !code) return undefined;
  const retryAfter = hdrs.get(HEADER.retryAfter);
  const subject = decodeURIComponent(hdrs.get(HEADER.subject));
  return new Fault(isFaultCode(code) ? code : 'internal', decodeURIComponent(hdrs.get(HEADER.message)), {
    problems: fromBinary(BadRequestSchema, body).problems.map(({ field, message, value }) => ({
      field,
      message,
      ...(value === undefined ? {} : { value }),
    })),
    ...(subject ? { subject } : {}),
    ...(retryAfter ? { retryAfter: Number(retryAfter) } : {}),
    otherAccount: hdrs.has(HEADER.otherAccount),
  });
}
