/** What a refusal comes to, for the person in front of it. */
export type RefusalKind =
  /** Not readable as SAML, or beyond the limits. */
  | 'unreadable'
  /** Nothing in it is signed. */
  | 'unsigned'
  /** Signed by a certificate that the provider's metadata does not have. */
  | 'certificate'
  /** Changed after it was signed. */
  | 'altered'
  | 'algorithm'
  /** Too early or too late by the hub's clock. */
  | 'time'
  /** Meant for another hub. */
  | 'address'
  /** Nobody here asked for it, or it was used already. */
  | 'request'
  | 'email'
  | 'domain'
  /** The provider signed nobody in. */
  | 'status'
  | 'other';

export interface RefusalOptions {
  provider?: string | undefined;
  kind?: RefusalKind;
  /** For the log: what came, what was expected. No secrets. */
  details?: Record<string, unknown>;
  /** The provider's own words. */
  said?: string | undefined;
  cause?: unknown;
}

/**
 * An answer or request of an identity provider that can't be accepted. `message` and `details` are for the log, `message` for the
 * audit trail; the page gives advice by `kind`.
 */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
  readonly provider: string;
  readonly kind: RefusalKind;
  readonly details: Record<string, unknown>;
  readonly said: string;

  constructor(reason: string, options: RefusalOptions = {}) {
    super(reason, options.cause === undefined ? undefined : { cause: options.cause });
    this.provider = options.provider ?? '';
    this.kind = options.kind ?? 'other';
    this.details = options.details ?? {};
    this.said = options.said ?? '';
  }

  /** The same refusal, knowing more. */
  with(more: RefusalOptions): SignInRefused {
    const { provider, kind, said, cause } = this;
    return new SignInRefused(this.message, {
      provider: more.provider || provider,
      kind: more.kind ?? kind,
      said: more.said ?? said,
      details: { ...this.details, ...more.details },
      cause: more.cause ?? cause,
    });
  }
}

/** Refuses the address of a user who is bound to another identity: the address was given to somebody else, or the provider changed. */
export class IdentityMismatch extends SignInRefused {
  constructor(email: string, provider: string) {
    super(`identity: the user ${email} is bound to another one; an administrator can reset the sign-in`, { provider });
  }
}
