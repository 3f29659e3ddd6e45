import { Controller, Get, Inject, Logger, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import { sendPage } from '@warren/platform/http/page';
import type { Request, Response } from 'express';
import { gatewayCaller, requestId } from '../../http/signed-in.request.ts';
import { AUTH_CONFIG, type AuthConfig } from '../config/auth.config.ts';
import { SignInRefused } from '../refusal/sign-in.refused.ts';
import { HubCookies } from '../session.cookie.ts';
import { requireFresh } from '../sign-in/fresh.ts';
import { readForm, single } from '../sign-in/form.body.ts';
import { SessionOpener } from '../sign-in/session.opener.ts';
import { SignInTrial } from '../sign-in/sign-in.trial.ts';
import { SignInFilter } from '../sign-in/sign-in.filter.ts';
import { OidcLogout } from './oidc.logout.ts';
import type { OidcProvider } from './oidc.provider.ts';
import { OidcProviders } from './oidc.providers.ts';
import { OidcSignIn } from './oidc.sign-in.ts';
import { PendingSignIns } from './pending.sign-ins.ts';

/** Longest query of an answer; codes of some providers have 2 kB. */
const MAX_QUERY = 8 * 1024;

/** Takes the answers and logouts of OpenID Connect providers. Not part of the API. */
@ApiExcludeController()
@Controller('auth/oidc')
@UseFilters(SignInFilter)
export class OidcController {
  private readonly log = new Logger(OidcController.name);

  constructor(
    @Inject(AUTH_CONFIG) private readonly config: AuthConfig,
    private readonly providers: OidcProviders,
    private readonly pending: PendingSignIns,
    private readonly signIn: OidcSignIn,
    private readonly logouts: OidcLogout,
    private readonly opener: SessionOpener,
    private readonly trial: SignInTrial,
    private readonly cookies: HubCookies,
  ) {}

  @Get(':provider/callback')
  async callback(@Param('provider') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const provider = this.asked(id);
    const [, query = ''] = request.originalUrl.split(/\?(.*)/s);
    if (query.length > MAX_QUERY)
      throw new SignInRefused('the answer is too long', { provider: id, kind: 'unreadable' });
    const sender = { provider: id, browser: this.cookies.readRedirect(request), requestId: requestId(request) };
    const pending = await this.pending.claim(single(request.query, 'state'), sender);
    const answer = await this.signIn.verify(provider, query, pending).catch((error: unknown) => {
      throw error instanceof SignInRefused && pending.trial ? error.with({ trial: 'oidc' }) : error;
    });
    requireFresh({ ...answer, askedAt: pending.askedAt }, this.config.OIDC_CLOCK_TOLERANCE);
    if (pending.trial) return sendPage(response, 200, await this.trial.page(request, answer));
    await this.opener.open(request, response, answer);
    response.redirect(303, pending.path);
  }

  /** Answers as the specification says, in JSON: the provider calls, not a browser (section 2.8). */
  @Post(':provider/backchannel-logout')
  async logout(@Param('provider') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await readForm(request, response);
    const provider = this.asked(id);
    response.set('Cache-Control', 'no-store');
    try {
      const token = single(request.body, 'logout_token');
      if (!token) throw new SignInRefused('no logout_token', { provider: id, kind: 'unreadable' });
      await this.logouts.endSessions(provider, token, gatewayCaller(request));
      response.status(200).end();
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      const { message: reason, kind, details } = error;
      this.log.warn({ provider: id, reason, kind, details }, 'A logout of a provider was refused.');
      response.status(400).json({ error: 'invalid_request', error_description: reason });
    }
  }

  /** @throws Fault `not_found` for an unknown provider */
  private asked(id: string): OidcProvider {
    const provider = this.providers.byId(id);
    if (provider) return provider;
    throw new Fault('not_found', "expected one of this hub's identity providers.");
  }
}
