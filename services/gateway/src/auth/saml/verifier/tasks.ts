import type { StatedGroups } from '../../groups/provider.groups.ts';
import type { VerifiedPerson } from '../../refusal/verified.person.ts';
import type { IdpMetadata } from './metadata.ts';
import type { RefusalOptions } from '../../refusal/sign-in.refused.ts';

/** The hub's settings for the worker. */
export interface HubFacts {
  entityId: string;
  acsUrl: string;
  sloUrl: string;
  clockToleranceMs: number;
  /** Private decryption keys, PEM. */
  decryptionKeys: readonly string[];
}

/** A provider's settings for the verification of its messages. */
export interface Trusted {
  id: string;
  entityId: string;
  /** PEM; any of them may have signed. */
  certificates: readonly string[];
  /** E-mail domains that the provider may sign in; all if undefined. */
  domains?: readonly string[] | undefined;
  /** Attribute with the e-mail address; defaults to the common ones. */
  emailAttribute?: string | undefined;
  /** Attribute with the groups; defaults to the common ones. */
  groupsAttribute?: string | undefined;
}

/** The parts of a verified assertion that the hub uses. */
export interface VerifiedAnswer {
  saml: VerifiedPerson;
  groups: StatedGroups;
  assertionId: string;
  assertionExpires: Date;
  /** Id of the request that it answers, from signed content. */
  inResponseTo: string;
  /** When the person proved who they are at the provider; undefined if it does not tell. */
  authTime?: Date | undefined;
}

/** A verified LogoutRequest. */
export interface LogoutSubject {
  provider: string;
  /** Id of the LogoutRequest. */
  id: string;
  nameId: string;
  nameIdFormat: string;
  sessionIndex: string;
}

/** The provider's answer to the hub's LogoutRequest. */
export interface LogoutAnswer {
  provider: string;
  inResponseTo: string;
  succeeded: boolean;
}

/** A parsed message by redirect. */
export interface RedirectMessage {
  kind: 'SAMLRequest' | 'SAMLResponse';
  /** Decoded parameters. */
  values: Record<string, string>;
  /** The signed parameters, encoded as received. */
  query: string;
}

/** Tasks with unauthenticated messages, which run off the event loop. */
export interface Tasks {
  /** A LogoutResponse has no result: the session ended before the request was sent. */
  response: { input: { message: string; providers: readonly Trusted[] }; output: VerifiedAnswer | undefined };
  logoutPost: { input: { message: string; providers: readonly Trusted[] }; output: LogoutSubject };
  logoutRedirect: {
    input: { message: RedirectMessage; providers: readonly Trusted[] };
    output: { request: LogoutSubject } | { answer: LogoutAnswer };
  };
  metadata: { input: { xml: string }; output: IdpMetadata };
}

export type TaskName = keyof Tasks;

/** A message to the worker, one at a time. */
export interface Job<N extends TaskName = TaskName> {
  name: N;
  input: Tasks[N]['input'];
}

/** The worker's answer. Errors lose their class between threads, so a refusal is sent as its fields. */
export type JobResult =
  | { output: Tasks[TaskName]['output'] }
  | { refused: Omit<RefusalOptions, 'cause'> & { reason: string } }
  | { error: string };
