import type { CredentialKind, ViewFailure } from '../types.ts';

/** The two ways of RSA-AES that encrypt all that follows, by their number among the types of security. */
export type RsaAesType = 5 | 129;

/** Why it can't go on, in words for people. */
export class RsaAesError extends Error {
  constructor(
    message: string,
    readonly problem: ViewFailure = 'protocol',
  ) {
    super(message);
  }
}

/** Who decides at the page. */
export interface RsaAesPerson {
  /** The server shows its key; `approveServer` is the answer. */
  verify(key: Uint8Array<ArrayBuffer>): void;
  /** The server asks who it is; `sendCredentials` is the answer. */
  credentials(kinds: CredentialKind[]): void;
  failed(problem: ViewFailure, reason: string): void;
}

const NONE = 1;
const [RA2, RA2_256] = [5, 129] as const;
const VENCRYPT = 19;
/** What noVNC signs in by (its core/rfb.js). Of VeNCrypt it knows the one way without TLS, which hardly a server offers. */
const OF_NOVNC: readonly number[] = [NONE, 2, 6, 16, VENCRYPT, 22, 30, 113];

/** The way of RSA-AES to take, when noVNC, which takes the first type that it knows, would get nowhere. */
export function rsaAesAmong(types: Uint8Array): RsaAesType | null {
  const choice = types.find((type) => OF_NOVNC.includes(type));
  if (choice !== undefined && choice !== VENCRYPT) return null;
  return [RA2_256, RA2].find((type) => types.includes(type)) ?? null;
}

/** How a server looks that asks for nothing: a list of one type of security, and its number. */
export const LIST_OF_NONE: Uint8Array<ArrayBuffer> = new Uint8Array([1, NONE]);
export const CHOICE_OF_NONE = NONE;
