import { Injectable } from '@nestjs/common';
import type { Page } from '@warren/platform/http/page';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { TenancyService, type ResolveMemberResponse } from '@warren/proto/tenancy/v1/tenancy';
import type { Request } from 'express';
import { roleName } from '../../http/enums.ts';
import { gatewayCaller } from '../../http/signed-in.request.ts';
import { groupsMessage, mappingText, matchedText } from '../groups/group.mapping.ts';
import { shownGroups } from '../groups/provider.groups.ts';
import { identityOf } from '../provider.identity.ts';
import type { VerifiedSignIn } from './session.opener.ts';
import { trialPage } from '../pages/trial.pages.ts';

/** Tells what a sign-in would do, without a session and without a binding. */
@Injectable()
export class SignInTrial {
  constructor(@InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>) {}

  /** Renders what the hub understood of a verified answer. */
  async page(request: Request, { saml, groups, authTime }: VerifiedSignIn): Promise<Page> {
    const { email, name } = saml;
    const identity = identityOf(saml);
    const person = { email, name, identity, groups: groupsMessage(groups) };
    const member = await this.tenancy.resolveMember(gatewayCaller(request), person);
    const { groupMapping } = member;
    return trialPage({
      Provider: saml.provider,
      Issuer: saml.nameQualifier,
      Subject: saml.nameId,
      'Subject format': saml.nameIdFormat,
      'Bound by': identity.subject === '' ? 'provider and e-mail address' : 'provider and subject',
      'E-mail': email,
      Name: name,
      Session: saml.sessionIndex,
      Authenticated: authTime?.toISOString() ?? '',
      'Would sign in': outcomeOf(member),
      'Groups received': shownGroups(groups),
      'Matching group rules': groupMapping ? matchedText(groupMapping) : '',
      Group: groupMapping ? mappingText(groupMapping) : '',
    });
  }
}

function outcomeOf({ user, invitation, identityMismatch }: ResolveMemberResponse): string {
  if (identityMismatch) return 'nobody: the user with this address is bound to another identity';
  if (user) return `${user.name || user.email}, ${roleName(user.role)} of ${user.accountName}`;
  return invitation ? `somebody with an invitation of ${invitation.accountName}` : 'somebody without an account';
}
