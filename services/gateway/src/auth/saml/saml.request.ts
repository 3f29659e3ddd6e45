import type { Request } from 'express';
import type { VerifiedSignIn } from './assertion.ts';

/** A request on its way through the SAML guards. */
export interface SamlRequest extends Request {
  /** Secret of the cookie that ties the sign-in to this browser. */
  browser?: string;
  /** Id of the provider that the request is about, as soon as it is known. */
  provider?: string;
}

/** A posted answer that was verified. */
export interface VerifiedRequest extends Omit<SamlRequest, 'user'> {
  user: VerifiedSignIn;
}
