import { Controller, Get, Logger, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Fault, HTTP_STATUS } from '@warren/platform/errors/fault';
import { sendPage, type Page } from '@warren/platform/http/page';
import { requireLeft } from '@warren/platform/quotas/quotas';
import type { Request, Response } from 'express';
import { HubCookies } from '../auth/session.cookie.ts';
import { SessionReader, type Access } from '../auth/session.reader.ts';
import { requestId, tokenOrigin } from '../http/signed-in.request.ts';
import { visitQuery } from './web.schemas.ts';
import { WebService } from './web.service.ts';

const HOME = { href: '/', label: 'To Warren' };

/**
 * Where a device's host sends a person who has no right there yet: through the sign-in if need be, and back with a ticket. A
 * page and redirects for browsers, not a part of the API.
 */
@ApiExcludeController()
@Controller('tunnel')
export class VisitController {
  private readonly log = new Logger(VisitController.name);

  constructor(
    private readonly web: WebService,
    private readonly cookies: HubCookies,
    private readonly sessions: SessionReader,
  ) {}

  @Get('open')
  async open(@Req() request: Request, @Res() response: Response): Promise<void> {
    const visit = visitQuery.safeParse(request.query);
    if (!visit.success) return sendPage(response, 400, refusal('invalid_argument'));
    try {
      const [secret, ...others] = this.cookies.readSessions(request);
      const access = secret && (await this.read([secret, ...others], request));
      if (!access)
        return response.redirect(303, `/auth/saml/login?${new URLSearchParams({ RelayState: request.url })}`);
      // The console explains why.
      if (!access.caller) return response.redirect(303, '/');
      requireLeft(access.signedIn.member.quotas, 'traffic');
      const origin = tokenOrigin(access.signedIn);
      response.redirect(303, await this.web.visit(access.caller, { ...visit.data, ...origin }));
    } catch (error) {
      const code = error instanceof Fault ? error.code : 'internal';
      if (code === 'internal') this.log.error({ err: error }, 'A visit to a device could not be let in.');
      sendPage(response, HTTP_STATUS[code], refusal(code));
    }
  }

  private async read(secrets: [string, ...string[]], request: Request): Promise<Access | undefined> {
    try {
      return await this.sessions.readFirst(secrets, requestId(request));
    } catch (error) {
      if (error instanceof Fault && error.code === 'unauthenticated') return undefined;
      throw error;
    }
  }
}

function refusal(code: Fault['code']): Page {
  const [title, text] = TEXTS[code] ?? [
    'Not available',
    'A part of Warren that this needs does not answer now. Try again in a moment.',
  ];
  return { title, text, links: [HOME] };
}

const TEXTS: Partial<Record<Fault['code'], readonly [title: string, text: string]>> = {
  invalid_argument: ['Not understood', 'The request could not be read. Open the page again from Warren.'],
  not_found: ['Not found', 'There is no device at this address, or it is not yours.'],
  permission_denied: ['Not allowed', 'Your role may not open web services of devices.'],
  quota_reached: [
    'Quota reached',
    'This account has used up its traffic of this month. Wait for the first of the next month, or ask the operator of this hub for a higher limit.',
  ],
  failed_precondition: [
    'Web service off',
    'The web service of this device is turned off. An administrator of Warren can turn it on.',
  ],
};
