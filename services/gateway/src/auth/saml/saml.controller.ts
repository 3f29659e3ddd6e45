import { Controller, Get, Inject, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { sendPage } from '@warren/platform/http/page';
import type { Request, Response } from 'express';
import { clientNetwork } from '../../http/client.address.ts';
import { AUTH_CONFIG, type AuthConfig } from '../config/auth.config.ts';
import { SignInRefused } from '../refusal/sign-in.refused.ts';
import { requireFresh } from '../sign-in/fresh.ts';
import { safePath } from '../sign-in/relay-state.ts';
import { SessionOpener } from '../sign-in/session.opener.ts';
import { HubCookies } from '../session.cookie.ts';
import { requestId } from '../../http/signed-in.request.ts';
import { readForm, single } from '../sign-in/form.body.ts';
import { logoutSender, sendOutcome } from './logout.answer.ts';
import { LogoutService } from './logout.service.ts';
import { hubMetadata } from './hub.metadata.ts';
import { SamlSettings } from './saml.settings.ts';
import { SamlVerifier } from './saml.verifier.ts';
import { SignInTrial } from '../sign-in/sign-in.trial.ts';
import { SignInFilter } from '../sign-in/sign-in.filter.ts';

/** Takes the answers of SAML providers, and serves the hub's metadata. Not part of the API. */
@ApiExcludeController()
@Controller('auth/saml')
@UseFilters(SignInFilter)
export class SamlController {
  private published: string | undefined;

  constructor(
    @Inject(AUTH_CONFIG) private readonly config: AuthConfig,
    private readonly settings: SamlSettings,
    private readonly verifier: SamlVerifier,
    private readonly logouts: LogoutService,
    private readonly opener: SessionOpener,
    private readonly trial: SignInTrial,
    private readonly cookies: HubCookies,
  ) {}

  @Post('acs')
  async acs(@Req() request: Request, @Res() response: Response): Promise<void> {
    await readForm(request, response);
    const logout = single(request.body, 'SAMLRequest');
    if (logout) return this.logout(request, response, logout);
    const message = single(request.body, 'SAMLResponse');
    if (!message) throw new SignInRefused('no SAMLResponse', { kind: 'unreadable' });
    const answer = await this.verifier.response(message, {
      client: clientNetwork(request),
      browser: this.cookies.readSignIn(request),
      requestId: requestId(request),
    });
    if (!answer) return sendOutcome(response, { confirmed: true });
    requireFresh(answer, this.config.SAML_CLOCK_TOLERANCE);
    if (answer.trial) return sendPage(response, 200, await this.trial.page(request, answer));
    await this.opener.open(request, response, answer);
    const { RelayState } = request.body as { RelayState?: unknown };
    response.redirect(303, safePath(RelayState));
  }

  @Get('metadata')
  metadata(@Res() response: Response): void {
    this.published ??= hubMetadata(this.config, this.settings);
    response.type('application/samlmetadata+xml').send(this.published);
  }

  /** Also handles logouts, of providers with a single URL for all messages. */
  private async logout(request: Request, response: Response, SAMLRequest: string): Promise<void> {
    const RelayState = single(request.body, 'RelayState');
    const form = { SAMLRequest, ...(RelayState ? { RelayState } : {}) };
    sendOutcome(response, await this.logouts.posted(form, logoutSender(request)));
  }
}
