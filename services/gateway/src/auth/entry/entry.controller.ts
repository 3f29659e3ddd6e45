import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import { sendPage } from '@warren/platform/http/page';
import { readEmail } from '@warren/rules/emails';
import type { Request, Response } from 'express';
import { gatewayCaller, requestId } from '../../http/signed-in.request.ts';
import { startedHere } from '../origin.ts';
import { choosePage, confirmSignOutPage, continuePage, signedOutPage } from '../pages/sign-in.pages.ts';
import { SIGNED_OUT } from '../saml/logout.answer.ts';
import { HubCookies } from '../session.cookie.ts';
import { SessionReader } from '../session.reader.ts';
import { readForm, single } from '../sign-in/form.body.ts';
import { safePath } from '../sign-in/relay-state.ts';
import { SignInFilter } from '../sign-in/sign-in.filter.ts';
import { SignInProviders, type SignInProvider } from './sign-in.providers.ts';
import { SignInStart } from './sign-in.start.ts';
import { SignOut } from './sign-out.ts';

/** Begins sign-ins and sign-outs, whatever the protocol. Serves pages and redirects to browsers; not part of the API. */
@ApiExcludeController()
@Controller('auth/saml')
@UseFilters(SignInFilter)
export class EntryController {
  constructor(
    private readonly providers: SignInProviders,
    private readonly start: SignInStart,
    private readonly signOut: SignOut,
    private readonly cookies: HubCookies,
    private readonly sessions: SessionReader,
  ) {}

  /**
   * Redirects to the provider; shows a page of all providers if there are several and the request names none. With `recent`, who is signed
   * in goes to their provider to sign in again.
   */
  @Get('login')
  async login(@Req() request: Request, @Res() response: Response): Promise<void> {
    const path = safePath(request.query['RelayState']);
    const again = single(request.query, 'recent') === undefined ? undefined : await this.signedIn(request);
    if (again)
      return response.redirect(await this.start.begin(again.provider, request, response, { path, ...again.options }));
    const provider = this.asked(single(request.query, 'provider'));
    if (!provider) return this.choose(response, path);
    response.redirect(await this.start.begin(provider, request, response, { path }));
  }

  /** Leads to the provider of an e-mail address. */
  @Post('login')
  async byEmail(@Req() request: Request, @Res() response: Response): Promise<void> {
    await readForm(request, response);
    const path = safePath(single(request.body, 'RelayState'));
    const typed = single(request.body, 'email') ?? '';
    const email = readEmail(typed);
    const found = email === undefined ? undefined : this.providers.byEmail(email);
    if (email === undefined || !found) return this.choose(response, path, typed);
    const href = await this.start.begin(found, request, response, { path, loginHint: email });
    // Not a redirect: browsers hold those after a form to the page's form-action, which can't name the hosts of all providers.
    response.set('Refresh', `0; url=${href}`);
    sendPage(response, 200, continuePage(found.config.name, href));
  }

  @Get('logout')
  async logout(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (!startedHere(request.headers)) return sendPage(response, 200, confirmSignOutPage());
    const secret = this.cookies.readSession(request);
    this.cookies.clearSession(response);
    const next = secret && (await this.signOut.of(secret, gatewayCaller(request)));
    response.redirect(next || SIGNED_OUT);
  }

  /** The last page of a sign-out. The sign-in page would sign in again at once if the provider still has a session. */
  @Get('signed-out')
  signedOut(@Req() request: Request, @Res() response: Response): void {
    sendPage(response, 200, signedOutPage(single(request.query, 'unconfirmed') === undefined));
  }

  /** @param unknown an address that no provider signs in */
  private choose(response: Response, path: string, unknown?: string): void {
    const choices = this.providers.listed.map(({ config }) => config);
    sendPage(response, unknown === undefined ? 200 : 404, choosePage(choices, path, unknown));
  }

  /** The provider of the session, and that it is to ask the person again; undefined without a session. */
  private async signedIn(request: Request) {
    const [secret, ...others] = this.cookies.readSessions(request);
    if (!secret) return undefined;
    const access = await this.sessions.readFirst([secret, ...others], requestId(request)).catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'unauthenticated') return undefined;
      throw error;
    });
    const { saml } = access?.signedIn.session ?? {};
    const provider = saml && this.providers.byId(saml.provider);
    return provider && { provider, options: { recent: true, loginHint: saml.email } };
  }

  /** @throws Fault `not_found` for an unknown provider */
  private asked(id: string | undefined): SignInProvider | undefined {
    const { listed } = this.providers;
    if (id === undefined) return listed.length > 1 ? undefined : listed[0];
    const provider = this.providers.byId(id);
    if (provider) return provider;
    throw new Fault('not_found', "expected one of this hub's identity providers.");
  }
}
