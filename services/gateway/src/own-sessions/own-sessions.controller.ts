import { Controller, Delete, Get, Param, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import type { Request } from 'express';
import { CurrentSession } from '../auth/caller.decorator.ts';
import { gatewayCaller, type SignedIn } from '../http/signed-in.request.ts';
import { Describe } from '../http/api.decorators.ts';
import { clientAddress } from '../http/client.address.ts';
import { done, doneSchema } from '../http/done.ts';
import { ownSessionIdSchema, ownSessionJson, ownSessionListSchema } from './own-session.schemas.ts';

/** One's own browser sessions. The session that asks says whose they are. */
@ApiTags('profile')
@Controller('api/sessions')
export class OwnSessionsController {
  constructor(@InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>) {}

  @Get()
  @Describe({ summary: 'Lists your own browser sessions.', answer: ownSessionListSchema })
  async listSessions(@CurrentSession() { secret }: SignedIn, @Req() request: Request) {
    const gateway = gatewayCaller(request);
    const { sessions } = await this.identity.listOwnSessions(gateway, { session: secret });
    return { sessions: sessions.map(ownSessionJson) };
  }

  @Delete(':id')
  @Describe({
    summary: 'Ends one of your own browser sessions, and what it has opened.',
    description:
      'Terminals stay on their devices. To sign out at the identity provider as well, open `/auth/saml/logout`.',
    answer: doneSchema,
    errors: [404],
  })
  async endSession(
    @CurrentSession() { secret }: SignedIn,
    @Req() request: Request,
    @Param('id', { schema: ownSessionIdSchema }) id: string,
  ) {
    await this.end(secret, request, id);
    return done('session successfully ended');
  }

  @Delete()
  @Describe({
    summary: 'Ends all of your browser sessions but this one, and what they have opened.',
    description: 'Terminals stay on their devices.',
    answer: doneSchema,
  })
  async endOtherSessions(@CurrentSession() { secret }: SignedIn, @Req() request: Request) {
    await this.end(secret, request, '');
    return done('sessions successfully ended');
  }

  private async end(session: string, request: Request, id: string): Promise<void> {
    await this.identity.endOwnSessions(gatewayCaller(request), {
      session,
      id,
      remoteAddress: clientAddress(request),
      userAgent: request.headers['user-agent'] ?? '',
    });
  }
}
