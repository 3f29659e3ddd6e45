import { create } from '@bufbuild/protobuf';
import { liveGrants } from '@warren/platform/policy/device.access';
import { permissionNames } from '@warren/platform/policy/permission.names';
import { permissionsOf } from '@warren/platform/policy/policy';
import type { ApiToken } from '@warren/proto/common/v1/common';
import { UserSchema, type ResolveMemberResponse } from '@warren/proto/tenancy/v1/tenancy';
import { z } from 'zod';
import { permissionSchema } from '../http/device.permissions.ts';
import { roleName, roleSchema, statusSchema } from '../http/enums.ts';
import { yesNo, yesNoSchema } from '../http/schemas.ts';
import { denialOf } from '../http/access.ts';
import type { AuthConfig } from './config/auth.config.ts';
import type { SignedIn } from '../http/signed-in.request.ts';
import { FLEET } from '../http/example.fleet.ts';

/** The session user (specification, section 3), with what the console needs. */
export const sessionSchema = z
  .object({
    user: z.string().describe('Id of the user; empty for somebody without an account.'),
    name: z.string(),
    email: z.string(),
    picture: z.string(),
    account: z.string().describe('Id of the account; empty for somebody without one.'),
    account_name: z.string(),
    status: statusSchema.describe('Inactive also when the account is.'),
    need_accept: yesNoSchema.describe('Yes: an invitation waits.'),
    accept_token: z.string().describe('Empty: the token is in the link of the invitation and stored hashed only.'),
    invitation_account: z.string().describe('Id of the account that the invitation is for.'),
    group: z.object({ id: z.string(), role: roleSchema }),
    operator: z.boolean().describe('True for users of the operator account, who see all accounts.'),
    permissions: z
      .array(z.string())
      .describe('What the user may do somewhere, by the API token of the request if there is one.'),
    granted: z
      .array(permissionSchema)
      .describe('What grants allow the user on some devices of the account, beyond the role.'),
    settings: z.boolean().describe('Sees the settings.'),
    webssh: z.boolean().describe('Sees the WebSSH item.'),
    guest_links: z.boolean().describe('People of the account may make guest links.'),
    access_requests: z.boolean().describe('People of the account may ask for access to devices.'),
  })
  .meta({
    id: 'Session',
    examples: [
      {
        user: FLEET.member.id,
        name: FLEET.member.name,
        email: FLEET.member.email,
        picture: '',
        account: FLEET.account.id,
        account_name: FLEET.account.name,
        status: 'Active',
        need_accept: 'No',
        accept_token: '',
        invitation_account: '',
        group: { id: FLEET.group.id, role: 'Member' },
        operator: false,
        permissions: ['devices.open', 'devices.read'],
        granted: [],
        settings: false,
        webssh: false,
        guest_links: true,
        access_requests: true,
      },
    ],
  });
export type SessionUser = z.output<typeof sessionSchema>;

type Lists = Pick<AuthConfig, 'OPERATOR_EMAIL' | 'SETTINGS_EMAILS' | 'WEBSSH_EMAILS'>;

/** The user fields of a person without a user. */
const NOBODY = create(UserSchema);

/** Builds the session user of the API. A person without access has no permissions. */
export function sessionUser({ session, member }: SignedIn, lists: Lists): SessionUser {
  const { user = NOBODY, invitation } = member;
  const email = user.email || (session.saml?.email ?? '');
  const denial = denialOf(member);
  const invited = denial === 'need_accept' ? invitation : undefined;
  return {
    user: user.id,
    name: user.name || (session.saml?.name ?? ''),
    email,
    picture: user.picture,
    account: user.accountId,
    account_name: user.accountName,
    // Only a disabled account is inactive, not a missing one.
    status: denial === 'account_disable' ? 'Inactive' : 'Active',
    need_accept: yesNo(invited !== undefined),
    accept_token: '',
    invitation_account: invited?.accountId ?? '',
    group: { id: user.groupId, role: roleName(user.role) },
    guest_links: denial === undefined && member.guestLinks === true,
    access_requests: denial === undefined && member.accessRequests,
    ...grants(member, { active: denial === undefined, token: session.token?.token, email }, lists),
  };
}

interface Asking {
  active: boolean;
  email: string;
  token: ApiToken | undefined;
}

function grants(member: ResolveMemberResponse, { active, email, token }: Asking, lists: Lists) {
  const { user, operator } = member;
  if (!active || !user) return { operator: false, permissions: [], granted: [], settings: false, webssh: false };
  return {
    operator,
    permissions: permissionsOf({ role: user.role, operator, ...(token ? { token } : {}) }),
    granted: permissionNames(liveGrants(member).flatMap((grant) => grant.permissions)),
    settings: isListed(email, lists.SETTINGS_EMAILS, lists.OPERATOR_EMAIL),
    webssh: mayUseWebSsh(email, lists),
  };
}

/** Tells whether a person may open terminals in a separate window. */
export function mayUseWebSsh(email: string, lists: Lists): boolean {
  return isListed(email, lists.WEBSSH_EMAILS, lists.OPERATOR_EMAIL);
}

/** An empty list means the operator alone. */
function isListed(email: string, list: string[] | undefined, operator: string | undefined): boolean {
  const emails = list?.length ? list : operator ? [operator] : [];
  return emails.includes(email.toLowerCase());
}
