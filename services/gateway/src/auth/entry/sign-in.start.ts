import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { randomBytes } from 'node:crypto';
import { requestId } from '../../http/signed-in.request.ts';
import { OidcSignIn } from '../oidc/oidc.sign-in.ts';
import { SamlSignIn } from '../saml/saml.sign-in.ts';
import { HubCookies } from '../session.cookie.ts';
import type { SignInProvider } from './sign-in.providers.ts';

/** Begins sign-ins at the provider of either protocol. */
@Injectable()
export class SignInStart {
  constructor(
    private readonly saml: SamlSignIn,
    private readonly oidc: OidcSignIn,
    private readonly cookies: HubCookies,
  ) {}

  /**
   * Begins a sign-in and sets the cookie that ties the answer to this browser.
   * @param options `path` is where to return to; `loginHint` is the e-mail address that the person typed; a `trial` opens no session;
   *   `recent` has the provider ask the person again
   * @returns the URL at the provider
   * @throws Fault `unavailable` while the provider can't be used
   */
  begin(
    { protocol, provider }: SignInProvider,
    request: Request,
    response: Response,
    options: { path: string; loginHint?: string; trial?: boolean; recent?: boolean },
  ): Promise<string> {
    const id = { requestId: requestId(request) };
    return protocol === 'saml'
      ? this.saml.begin(provider, { ...id, ...options, browser: this.bindPost(request, response) })
      : this.oidc.begin(provider, { ...id, ...options, browser: this.bindRedirect(request, response) });
  }

  /** Tabs that sign in concurrently share one cookie. */
  private bindPost(request: Request, response: Response): string | undefined {
    if (!this.cookies.bindsSignIn) return undefined;
    const browser = this.cookies.readSignIn(request) ?? newSecret();
    this.cookies.setSignIn(response, browser);
    return browser;
  }

  private bindRedirect(request: Request, response: Response): string {
    const browser = this.cookies.readRedirect(request) ?? newSecret();
    this.cookies.setRedirect(response, browser);
    return browser;
  }
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
