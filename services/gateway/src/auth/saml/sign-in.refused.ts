/**
 * An answer or request of an identity provider that can't be accepted. `message` is for the log and the audit trail; people
 * are told no more than that it did not work.
 */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
  readonly provider: string;

  constructor(reason: string, options: { provider?: string; cause?: unknown } = {}) {
    super(reason, options.cause === undefined ? undefined : { cause: options.cause });
    this.provider = options.provider ?? '';
  }
}
