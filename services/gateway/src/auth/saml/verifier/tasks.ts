import type { IdpMetadata } from './metadata.ts';
import type { RefusalOptions } from './sign-in.refused.ts';

/** What the worker knows of the hub from its start on. */
export interface HubFacts {
  entityId: string;
  acsUrl: string;
  sloUrl: string;
  clockToleranceMs: number;
  /** Private keys, PEM, that an assertion may be encrypted for. */
  decryptionKeys: readonly string[];
}

/** A provider as far as its messages are concerned. */
export interface Trusted {
  id: string;
  entityId: string;
  /** PEM; any of them may have signed. */
  certificates: readonly string[];
  /** E-mail domains that the provider may speak for; all when not given. */
  domains?: readonly string[] | undefined;
  /** The attribute that holds the e-mail; those that are usual when not given. */
  emailAttribute?: string | undefined;
}

/** A verified assertion, reduced to what the hub goes by. */
export interface VerifiedAnswer {
  saml: {
    provider: string;
    nameId: string;
    nameIdFormat: string;
    sessionIndex: string;
    email: string;
    name: string;
    nameQualifier: string;
    spNameQualifier: string;
  };
  assertionId: string;
  assertionExpires: Date;
  /** The request that it answers, by what is signed. */
  inResponseTo: string;
}

/** Whom a provider signs out. */
export interface LogoutSubject {
  provider: string;
  /** Id of the LogoutRequest. */
  id: string;
  nameId: string;
  nameIdFormat: string;
  sessionIndex: string;
}

/** What a provider answers to the hub's own LogoutRequest. */
export interface LogoutAnswer {
  provider: string;
  inResponseTo: string;
  succeeded: boolean;
}

/** A message by redirect, taken apart. */
export interface RedirectMessage {
  kind: 'SAMLRequest' | 'SAMLResponse';
  /** Decoded parameters. */
  values: Record<string, string>;
  /** Just these parameters, encoded as they came: what the signature is over. */
  query: string;
}

/** Messages of strangers, to be read off the event loop. */
export interface Tasks {
  /** Nothing comes of a LogoutResponse: the session ended before it was asked for. */
  response: { input: { message: string; providers: readonly Trusted[] }; output: VerifiedAnswer | undefined };
  logoutPost: { input: { message: string; providers: readonly Trusted[] }; output: LogoutSubject };
  logoutRedirect: {
    input: { message: RedirectMessage; providers: readonly Trusted[] };
    output: { request: LogoutSubject } | { answer: LogoutAnswer };
  };
  metadata: { input: { xml: string }; output: IdpMetadata };
}

export type TaskName = keyof Tasks;

/** What the worker is sent: one at a time. */
export interface Job<N extends TaskName = TaskName> {
  name: N;
  input: Tasks[N]['input'];
}

/** The answer. Errors lose their class between threads, so a refusal is sent as its fields. */
export type JobResult =
  | { output: Tasks[TaskName]['output'] }
  | { refused: Omit<RefusalOptions, 'cause'> & { reason: string } }
  | { error: string };
