import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { readForm, single } from '../sign-in/form.body.ts';
import { logoutSender, sendOutcome } from './logout.answer.ts';
import { LogoutService } from './logout.service.ts';
import { SignInFilter } from '../sign-in/sign-in.filter.ts';

/** Takes logouts of SAML providers, by redirect and POST. Not part of the API. */
@ApiExcludeController()
@Controller('auth/saml')
@UseFilters(SignInFilter)
export class LogoutController {
  constructor(private readonly logouts: LogoutService) {}

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
