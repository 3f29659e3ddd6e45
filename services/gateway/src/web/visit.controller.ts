import { Controller, Get, Logger, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Fault, HTTP_STATUS } from '@warren/platform/errors/fault';
import { sendPage, type Page } from '@warren/platform/http/page';
import { requireLeft } from '@warren/platform/quotas/quotas';
import type { Request, Response } from 'express';
import { HubCookies } from '../auth/session.cookie.ts';
import { SessionReader, type Access } from '../auth/session.reader.ts';
import { GuestAccess } from '../guests/guest.access.ts';
import { requestId, tokenOrigin } from '../http/signed-in.request.ts';
import { guestVisitRefused, visitRefused } from './visit.pages.ts';
import { visitQuery, type VisitQuery } from './web.schemas.ts';
import { WebService } from './web.service.ts';

/** Query parameter of a visit that a page of the hub has opened. */
const ASKED = 'asked';

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
    private readonly guests: GuestAccess,
  ) {}

  @Get('open')
  async open(@Req() request: Request, @Res() response: Response): Promise<void> {
    const visit = visitQuery.safeParse(request.query);
    if (!visit.success) return sendPage(response, 400, visitRefused('invalid_argument'));
    try {
      const [secret, ...others] = this.cookies.readSessions(request);
      const access = secret && (await this.read([secret, ...others], request));
      if (!access) return await this.openWithoutUser(request, response, visit.data);
      // The console explains why.
      if (!access.caller) return response.redirect(303, '/');
      requireLeft(access.signedIn.member.quotas, 'traffic');
      const origin = tokenOrigin(access.signedIn);
      response.redirect(303, await this.web.visit(access.caller, { ...visit.data, ...origin }));
    } catch (error) {
      this.refuse(response, error, visitRefused);
    }
  }

  /** Lets a guest in by the cookie of a guest link; everybody else signs in. */
  private async openWithoutUser(request: Request, response: Response, visit: VisitQuery): Promise<void> {
    const { url, headers, query } = request;
    const signIn = `/auth/saml/login?${new URLSearchParams({ RelayState: url })}`;
    if (this.cookies.readGuest(request) !== undefined) {
      try {
        const { caller, origin } = await this.guests.read(request);
        requireLeft(origin.member.quotas, 'traffic');
        return response.redirect(303, await this.web.visit(caller, { ...visit, ...tokenOrigin(origin) }));
      } catch (error) {
        // The cookie stays, so that a reload says the same; the page leads users to the sign-in.
        return this.refuse(response, error, (code) => guestVisitRefused(code, signIn));
      }
    }
    if (headers['sec-fetch-site'] !== 'cross-site' || query[ASKED] !== undefined) return response.redirect(303, signIn);
    // The cookie of a guest is SameSite=Strict: browsers send it when a page of the hub leads here, and not after a redirect of a device.
    response.setHeader('Refresh', `0; url=${url}&${ASKED}=1`);
    response.status(200).end();
  }

  private refuse(response: Response, error: unknown, page: (code: Fault['code']) => Page): void {
    const code = error instanceof Fault ? error.code : 'internal';
    if (code === 'internal') this.log.error({ err: error }, 'A visit to a device could not be let in.');
    sendPage(response, HTTP_STATUS[code], page(code));
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
