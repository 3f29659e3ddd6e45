import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { startedHere } from '../origin.ts';
import { sendPage } from '@warren/platform/http/page';
import { confirmSignOutPage, signedOutPage } from '../pages/sign-in.pages.ts';
import { HubCookies } from '../session.cookie.ts';
import { gatewayCaller } from '../../http/signed-in.request.ts';
import { readForm, single } from './form.body.ts';
import { logoutSender, sendOutcome, SIGNED_OUT } from './logout.answer.ts';
import { LogoutService } from './logout.service.ts';
import { SignInFilter } from './sign-in.filter.ts';

/** Signs people out. Serves pages and redirects to browsers; not part of the API. */
@ApiExcludeController()
@Controller('auth/saml')
@UseFilters(SignInFilter)
export class LogoutController {
  constructor(
    private readonly logouts: LogoutService,
    private readonly cookies: HubCookies,
  ) {}

  @Get('logout')
  async logout(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (!startedHere(request.headers)) return sendPage(response, 200, confirmSignOutPage());
    const secret = this.cookies.readSession(request);
    this.cookies.clearSession(response);
    const next = secret && (await this.logouts.signOut(secret, gatewayCaller(request)));
    response.redirect(next || SIGNED_OUT);
  }

  /** The last page of a sign-out. The sign-in page would sign in again at once if the provider still has a session. */
  @Get('signed-out')
  signedOut(@Req() request: Request, @Res() response: Response): void {
    sendPage(response, 200, signedOutPage(single(request.query, 'unconfirmed') === undefined));
  }

  @Get('slo')
  async redirected(@Req() request: Request, @Res() response: Response): Promise<void> {
    sendOutcome(response, await this.logouts.redirected(request.originalUrl, logoutSender(request)));
  }

  @Post('slo')
  async posted(@Req() request: Request, @Res() response: Response): Promise<void> {
    await readForm(request, response);
    const [SAMLRequest, RelayState] = ['SAMLRequest', 'RelayState'].map((name) => single(request.body, name));
    const form = { ...(SAMLRequest ? { SAMLRequest } : {}), ...(RelayState ? { RelayState } : {}) };
    sendOutcome(response, await this.logouts.posted(form, logoutSender(request)));
  }
}
