import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { Fault } from '@warren/platform/errors/fault';
import type { Request, Response } from 'express';
import { randomBytes } from 'node:crypto';
import { safePath } from '../relay-state.ts';
import { HubCookies } from '../session.cookie.ts';
import { readForm, single } from './form.body.ts';
import { SamlProviders } from './saml.providers.ts';
import type { SamlRequest } from './saml.request.ts';
import { SignInRefused } from './sign-in.refused.ts';

/** Sends the browser to the identity provider; passes only when there are several and none was named. */
@Injectable()
export class LoginGuard extends AuthGuard('saml') {
  constructor(
    private readonly providers: SamlProviders,
    private readonly cookies: HubCookies,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<SamlRequest>(), http.getResponse<Response>()];
    if (single(request.query, 'provider') === undefined && this.providers.listed.length > 1) return true;
    this.cleanQuery(request);
    if (this.cookies.bindsSignIn) this.bind(request, response);
    return (await super.canActivate(context)) as boolean;
  }

  /** The strategy takes RelayState from the query as it is, and a SAMLResponse there for an answer: this is no place for one. */
  private cleanQuery(request: Request): void {
    const provider = single(request.query, 'provider');
    const query = { RelayState: safePath(request.query['RelayState']), ...(provider ? { provider } : {}) };
    Object.defineProperty(request, 'query', { value: query, configurable: true, writable: true });
  }

  /** Tabs that sign in at the same time share one cookie. */
  private bind(request: SamlRequest, response: Response): void {
    request.browser = this.cookies.readSignIn(request) ?? randomBytes(32).toString('base64url');
    this.cookies.setSignIn(response, request.browser);
  }
}

/** Verifies a posted answer; `request.user` is a VerifiedSignIn afterwards. */
@Injectable()
export class AnswerGuard extends AuthGuard('saml') {
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    await readForm(request, http.getResponse<Response>());
    // An answer is in the form and nowhere else; node-saml would prefer one in the query, which is not verified as strictly.
    Object.defineProperty(request, 'query', { value: {}, configurable: true, writable: true });
    if (!single(request.body, 'SAMLResponse')) throw new SignInRefused('no SAMLResponse');
    return (await super.canActivate(context)) as boolean;
  }

  override handleRequest<T>(error: unknown, user: T | false | null, _info: unknown, context: ExecutionContext): T {
    if (error instanceof Fault || error instanceof SignInRefused) throw error;
    const { provider = '' } = context.switchToHttp().getRequest<SamlRequest>();
    if (error instanceof Error) throw new SignInRefused(error.message, { provider, cause: error });
    if (!user) throw new SignInRefused('the provider signed nobody in');
    return user;
  }
}
