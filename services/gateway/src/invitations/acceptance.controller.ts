import { Body, Controller, Get, HttpCode, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { InvitationsService } from '@warren/proto/tenancy/v1/invitations';
import type { Request } from 'express';
import { CurrentSession } from '../auth/caller.decorator.ts';
import { identityOf } from '../auth/provider.identity.ts';
import { gatewayCaller, type SignedIn } from '../http/signed-in.request.ts';
import { Describe } from '../http/api.decorators.ts';
import { done, doneSchema } from '../http/done.ts';
import {
  acceptBody,
  acceptedSchema,
  invitationShownSchema,
  linkOf,
  linkQuery,
  myInvitationsSchema,
  shownJson,
  signUpBody,
  type AcceptBody,
  type Link,
  type SignUpBody,
} from './invitation.schemas.ts';

/** What people do with an invitation link; they are no users yet, so the gateway calls under its own identity. */
@ApiTags('invitations')
@Controller('api')
export class AcceptanceController {
  constructor(@InjectRpc(InvitationsService) private readonly invitations: RpcClient<typeof InvitationsService>) {}

  @Get('invitation')
  @Describe({
    summary: 'Tells what a link is an invitation to.',
    answer: invitationShownSchema,
    errors: [404, 429],
    anybody: true,
  })
  async lookUpInvitation(@Req() request: Request, @Query({ schema: linkQuery }) link: Link) {
    return shownJson(await this.invitations.lookUpInvitation(gatewayCaller(request), { link: linkOf(link) }));
  }

  @Get('my_invitations')
  @Describe({
    summary: "Lists what the signed-in person's e-mail is invited to, the newest first.",
    description: 'Needs a session, but no account. Each can be accepted without the link of its mail.',
    answer: myInvitationsSchema,
  })
  async listMyInvitations(@Req() request: Request, @CurrentSession() { session }: SignedIn) {
    const { email = '' } = session.saml ?? {};
    const { invitations } = await this.invitations.listInvitationsOf(gatewayCaller(request), { email });
    return { total: invitations.length, invitations: invitations.map(shownJson) };
  }

  @Post('signup')
  @HttpCode(200)
  @Describe({
    summary: 'Keeps the name of an invited person, and that they agree to the terms.',
    description: 'The sign-in at the identity provider follows, and then the acceptance with the same link.',
    answer: doneSchema,
    errors: [404, 429],
    anybody: true,
  })
  async signUp(@Req() request: Request, @Body({ schema: signUpBody }) { name, ...link }: SignUpBody) {
    await this.invitations.signUp(gatewayCaller(request), { link: linkOf(link), name });
    return done('sign-up complete; sign in to accept the invitation');
  }

  @Post('accept_invitation')
  @HttpCode(200)
  @Describe({
    summary: 'Makes the signed-in person a user of the account.',
    description:
      'Needs a session of the invited e-mail, but no account. Without a token the session vouches for the e-mail. A link works once. Invitations of other accounts are void then.',
    answer: acceptedSchema,
    errors: [404, 409],
  })
  async acceptInvitation(
    @Req() request: Request,
    @CurrentSession() { session }: SignedIn,
    @Body({ schema: acceptBody }) link: AcceptBody,
  ) {
    const { email: signedInEmail = '', name: signedInName = '' } = session.saml ?? {};
    const identity = session.saml && identityOf(session.saml);
    const accepted = { link: linkOf(link), signedInEmail, signedInName, ...(identity ? { identity } : {}) };
    const { userId: user, accountId: account } = await this.invitations.acceptInvitation(
      gatewayCaller(request),
      accepted,
    );
    return { ...done('invitation successfully accepted'), user, account };
  }
}
