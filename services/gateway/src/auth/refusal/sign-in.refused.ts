export type Protocol = 'saml' | 'oidc';

/** Kinds of refusal, which decide what the page advises. */
export type RefusalKind =
  /** Not a readable message, or beyond the limits. */
  | 'unreadable'
  /** Without a signature. */
  | 'unsigned'
  /** Signed with a key that is not in the provider's metadata or key set. */
  | 'certificate'
  /** Changed after it was signed. */
  | 'altered'
  | 'algorithm'
  /** Too early or too late by the hub's clock. */
  | 'time'
  /** Addressed to another hub, or from another issuer. */
  | 'address'
  /** Answers no request of the hub, or was used before. */
  | 'request'
  | 'email'
  /** The provider does not say that the person owns the e-mail address. */
  | 'unverified'
  | 'domain'
  /** The provider does not accept the hub's client id or secret. */
  | 'client'
  /** An endpoint of the provider does not answer, or not within the limits of time and size. */
  | 'unreachable'
  /** The user with the e-mail address is bound to another identity. */
  | 'identity'
  /** The person was to sign in again, and the provider used its former session. */
  | 'stale'
  /** The provider refused the sign-in. */
  | 'status'
  | 'other';

export interface RefusalOptions {
  provider?: string | undefined;
  kind?: RefusalKind;
  /** For the log: received and expected values, without secrets. */
  details?: Record<string, unknown>;
  /** The provider's message. */
  said?: string | undefined;
  /** The person's e-mail address, from verified content only. */
  email?: string | undefined;
  /** The protocol of a trial of an administrator, whose page shows the details; undefined for a sign-in. */
  trial?: Protocol | undefined;
  cause?: unknown;
}

/**
 * A refused answer or request of an identity provider. `message` and `details` go to the log, `message` to the audit trail; the page
 * advises by `kind`.
 */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
  readonly provider: string;
  readonly kind: RefusalKind;
  readonly details: Record<string, unknown>;
  readonly said: string;
  readonly email: string;
  readonly trial: Protocol | undefined;

  constructor(reason: string, options: RefusalOptions = {}) {
    super(reason, options.cause === undefined ? undefined : { cause: options.cause });
    this.provider = options.provider ?? '';
    this.kind = options.kind ?? 'other';
    this.details = options.details ?? {};
    this.said = options.said ?? '';
    this.email = options.email ?? '';
    this.trial = options.trial;
  }

  /** Returns the refusal with more details. */
  with(more: RefusalOptions): SignInRefused {
    const { provider, kind, said, email, cause } = this;
    return new SignInRefused(this.message, {
      provider: more.provider || provider,
      kind: more.kind ?? kind,
      said: more.said ?? said,
      email: more.email || email,
      trial: more.trial ?? this.trial,
      details: { ...this.details, ...more.details },
      cause: more.cause ?? cause,
    });
  }
}

/** Refuses the e-mail address of a user who is bound to another identity: its owner or the provider changed. */
export class IdentityMismatch extends SignInRefused {
  constructor(email: string, provider: string) {
    super(`identity: the user ${email} is bound to another one; an administrator can reset the sign-in`, {
      provider,
      kind: 'identity',
      email,
    });
  }
}
