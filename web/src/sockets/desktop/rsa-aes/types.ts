import type { CredentialKind, ViewFailure } from '../types.ts';

/** The two variants of RSA-AES that encrypt the whole connection, by their security type. */
export type RsaAesType = 5 | 129;

/** The reason for a failure, in words for people. */
export class RsaAesError extends Error {
  constructor(
    message: string,
    readonly problem: ViewFailure = 'protocol',
  ) {
    super(message);
  }
}

/** The person's decisions at the page. */
export interface RsaAesPerson {
  /** The server presents its key; `approveServer` confirms it. */
  verify(key: Uint8Array<ArrayBuffer>): void;
  /** The server requests credentials; `sendCredentials` answers. */
  credentials(kinds: CredentialKind[]): void;
  failed(problem: ViewFailure, reason: string): void;
}

const NONE = 1;
const [RA2, RA2_256] = [5, 129] as const;
const VENCRYPT = 19;
/** noVNC's security types (its core/rfb.js). Of VeNCrypt it supports only the variant without TLS, which few servers offer. */
const OF_NOVNC: readonly number[] = [NONE, 2, 6, 16, VENCRYPT, 22, 30, 113];

/** The security type that noVNC takes: the first that it supports. */
export const choiceOfNoVnc = (types: Uint8Array): number | undefined => types.find((type) => OF_NOVNC.includes(type));

/** Selects a variant of RSA-AES if noVNC would fail. */
export function rsaAesAmong(types: Uint8Array): RsaAesType | null {
  const choice = choiceOfNoVnc(types);
  if (choice !== undefined && choice !== VENCRYPT) return null;
  return [RA2_256, RA2].find((type) => types.includes(type)) ?? null;
}

/** The messages of a server without authentication: a list of one security type, and its number. */
export const LIST_OF_NONE: Uint8Array<ArrayBuffer> = new Uint8Array([1, NONE]);
export const CHOICE_OF_NONE = NONE;
