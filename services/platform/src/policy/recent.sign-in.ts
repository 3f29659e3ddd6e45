import { timestampMs, type Timestamp } from '@bufbuild/protobuf/wkt';
import type { UserCaller } from '@warren/proto/common/v1/common';
import { Fault } from '../errors/fault.ts';

const MINUTE_MS = 60_000;

/** Who acts, and when they proved who they are. */
type SignedInUser = Pick<UserCaller, 'token'> & { authTime?: Timestamp | undefined };

/**
 * Requires that the person has signed in at the provider within the last minutes. Sessions whose provider stated no time count as old.
 * @param now milliseconds since 1970
 * @throws Fault `recent_sign_in_required`; for an API token always, since nobody signs in with it
 */
export function requireRecentSignIn({ authTime, token }: SignedInUser, minutes: number, now = Date.now()): void {
  if (token)
    throw new Fault('recent_sign_in_required', 'this needs a recent sign-in, which an API token is not.', {
      subject: 'API token',
    });
  if (authTime && now - timestampMs(authTime) <= minutes * MINUTE_MS) return;
  throw new Fault('recent_sign_in_required', `this needs a sign-in within the last ${minutes} minutes.`);
}
