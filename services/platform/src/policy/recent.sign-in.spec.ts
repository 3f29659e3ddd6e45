import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { ApiTokenSchema } from '@warren/proto/common/v1/common';
import { requireRecentSignIn } from './recent.sign-in.ts';

const NOW = Date.UTC(2026, 10, 28);
const MINUTE = 60_000;
const refused = expect.objectContaining({ code: 'recent_sign_in_required' });
const signedIn = (minutesAgo: number) => ({ authTime: timestampFromMs(NOW - minutesAgo * MINUTE) });

describe('requireRecentSignIn', () => {
  it('accepts a sign-in within the last minutes, and no older one', () => {
    expect(() => requireRecentSignIn(signedIn(15), 15, NOW)).not.toThrow();
    expect(() => requireRecentSignIn(signedIn(15.1), 15, NOW)).toThrow(refused);
  });

  it('refuses a session without a time, and API tokens', () => {
    expect(() => requireRecentSignIn({}, 15, NOW)).toThrow(refused);
    const token = create(ApiTokenSchema, { id: 't' });
    expect(() => requireRecentSignIn({ ...signedIn(1), token }, 15, NOW)).toThrow(refused);
  });
});
