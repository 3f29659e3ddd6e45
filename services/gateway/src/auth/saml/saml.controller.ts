import { Controller, Get, Inject, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import type { Request, Response } from 'express';
import { AUTH_CONFIG, type AuthConfig } from '../auth.config.ts';
import { sendPage } from '@warren/platform/http/page';
import { choosePage } from '../pages/sign-in.pages.ts';
import { safePath } from '../relay-state.ts';
import { HubCookies } from '../session.cookie.ts';
import { requestId } from '../signed-in.request.ts';
import { hubMetadata } from './hub.metadata.ts';
import { AnswerGuard, LoginGuard } from './saml.guards.ts';
import { SamlProviders } from './saml.providers.ts';
import type { VerifiedRequest } from './saml.request.ts';
import { SamlSettings } from './saml.settings.ts';
import { SignInFilter } from './sign-in.filter.ts';

/** Signing in: to the provider, and back from it. Pages and redirects for browsers, not a part of the API. */
@ApiExcludeController()
@Controller('auth/saml')
@UseFilters(SignInFilter)
export class SamlController {
  constructor(
    @Inject(AUTH_CONFIG) private readonly config: AuthConfig,
    private readonly providers: SamlProviders,
    private readonly settings: SamlSettings,
    private readonly cookies: HubCookies,
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
  ) {}

  /** The guard sends the browser on; what gets here has several providers to choose from. */
  @Get('login')
  @UseGuards(LoginGuard)
  login(@Req() request: Request, @Res() response: Response): void {
    const choices = this.providers.listed.map(({ config }) => config);
    sendPage(response, 200, choosePage(choices, safePath(request.query['RelayState'])));
  }

  @Post('acs')
  @UseGuards(AnswerGuard)
  async acs(@Req() request: VerifiedRequest, @Res() response: Response): Promise<void> {
    const { saml, assertionId, assertionExpires } = request.user;
    const { session, expires } = await this.identity.signIn(serviceCaller('gateway', requestId(request)), {
      saml,
      assertionId,
      assertionExpires: timestampFromDate(assertionExpires),
      previousSession: this.cookies.readSession(request) ?? '',
      remoteAddress: request.ip ?? '',
      userAgent: request.headers['user-agent'] ?? '',
    });
    this.cookies.setSession(response, session, expires ? timestampDate(expires) : new Date());
    const { RelayState } = request.body as { RelayState?: unknown };
    response.redirect(303, safePath(RelayState));
  }

  @Get('metadata')
  metadata(@Res() response: Response): void {
    response.type('application/samlmetadata+xml').send(hubMetadata(this.config, this.settings));
  }
}
