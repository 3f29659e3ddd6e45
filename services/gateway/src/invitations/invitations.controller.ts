import { Body, Controller, Delete, Get, Headers, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { InvitationsService, type Invitation } from '@warren/proto/tenancy/v1/invitations';
import type { IncomingHttpHeaders } from 'node:http';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { requireHubOrigin } from '../auth/origin.ts';
import { bearerOf } from '../auth/tokens/bearer.ts';
import { requireOwnPerson } from '../auth/own.person.ts';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { Describe } from '../http/api.decorators.ts';
import { done, doneSchema } from '../http/done.ts';
import { idSchema, pageRequest } from '../http/schemas.ts';
import {
  invitationJson,
  invitationListSchema,
  invitationResentSchema,
  invitationsSentSchema,
  listInvitationsQuery,
  sendInvitationBody,
  storedEmail,
  type ListInvitationsQuery,
  type SendInvitationBody,
} from './invitation.schemas.ts';
import { InvitationLimits } from './invitation.limits.ts';

/** Pending invitations, for SuperAdmins, Owners and Admins. */
@ApiTags('invitations')
@Controller('api')
export class InvitationsController {
  constructor(
    @InjectRpc(InvitationsService) private readonly invitations: RpcClient<typeof InvitationsService>,
    private readonly limits: InvitationLimits,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'HUB_URL'>,
  ) {}

  @Get('invitations')
  @Describe({ summary: 'Lists pending invitations, the newest first.', answer: invitationListSchema, errors: [404] })
  async listInvitations(
    @CurrentCaller() caller: Caller,
    @Query({ schema: listInvitationsQuery }) query: ListInvitationsQuery,
  ) {
    const { account: accountId, group: groupId } = query;
    const answer = await this.invitations.listInvitations(caller, { page: pageRequest(query), accountId, groupId });
    return { total: answer.total, invitations: answer.invitations.map(invitationJson) };
  }

  @Post('send_invitation')
  @HttpCode(200)
  @Describe({
    summary: 'Invites people into a group.',
    description:
      'All of them or none: 409 names in `errors` each e-mail that is a user already. Another invitation of the same e-mail replaces the pending one. Owners are assigned, not invited.',
    answer: invitationsSentSchema,
    errors: [404, 409, 429],
  })
  async sendInvitation(
    @CurrentCaller() caller: Caller,
    @Body({ schema: sendInvitationBody }) body: SendInvitationBody,
  ) {
    requireOwnPerson(caller, 'sender', body.sender);
    const { emails, groups, account: accountId } = body;
    await this.limits.count(caller, emails.length, accountId);
    const answer = await this.invitations.sendInvitations(caller, { accountId, groups, emails });
    return { ...done('invitation successfully created'), invitations: answer.invitations.map(invitationJson) };
  }

  @Get('resend_invitation/:id')
  @Describe({
    summary: 'Sends an invitation again.',
    description:
      "With a new link; the former one is void. Although a GET, it must come from the hub's own origin, unless an API token comes with it.",
    answer: invitationResentSchema,
    errors: [404, 409, 429],
  })
  async resendInvitation(
    @CurrentCaller() caller: Caller,
    @Headers() headers: IncomingHttpHeaders,
    @Param('id', { schema: idSchema }) id: string,
  ) {
    // No browser sends a token by itself.
    if (bearerOf(headers) === undefined) requireHubOrigin(headers, this.config.HUB_URL);
    await this.limits.count(caller, 1);
    const { invitation } = await this.invitations.resendInvitation(caller, { id });
    return { ...done('invitation successfully sent'), invitation: invitationJson(invitation as Invitation) };
  }

  @Delete('cancel_invitation/:id/:email')
  @Describe({
    summary: 'Takes an invitation back.',
    description: 'Its link is void at once.',
    answer: doneSchema,
    errors: [404],
  })
  async cancelInvitation(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Param('email', { schema: storedEmail }) email: string,
  ) {
    await this.invitations.cancelInvitation(caller, { id, email });
    return done('invitation successfully cancelled');
  }
}
