import { create } from '@bufbuild/protobuf';
import { userCaller, type Caller } from '@warren/platform/rpc/caller';
import type { Role } from '@warren/proto/common/v1/common';
import { ApiTokenSchema, UserCallerSchema } from '@warren/proto/common/v1/common';

/** The same person by an API token. */
export function byToken({ kind }: Caller, permissions: string[], filter = ''): Caller {
  if (kind.case !== 'user') throw new Error('expected a user');
  const token = create(ApiTokenSchema, { id: '0199f000-0000-7000-8000-000000000002', permissions, filter });
  return userCaller({ ...kind.value, token });
}

/** A signed-in user of an account. */
export function user(accountId: string, role: Role, operator = false): Caller {
  const userId = '0199f000-0000-7000-8000-000000000001';
  const email = 'someone@example.com';
  return userCaller(create(UserCallerSchema, { userId, email, name: 'Someone', accountId, role, operator }));
}
