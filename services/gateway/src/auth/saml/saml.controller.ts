import { Controller, Get, Inject, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { SAML } from '@node-saml/node-saml';
import { Fault } from '@warren/platform/errors/fault';
import { sendPage } from '@warren/platform/http/page';
import type { Caller } from '@warren/platform/rpc/caller';
import { limitIn } from '@warren/platform/quotas/quotas';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { TenancyService, type ResolveMemberResponse } from '@warren/proto/tenancy/v1/tenancy';
import type { Request, Response } from 'express';
import { randomBytes } from 'node:crypto';
import { clientNetwork } from '../../http/client.address.ts';
import { AUTH_CONFIG, type AuthConfig } from '../auth.config.ts';
import { choosePage } from '../pages/sign-in.pages.ts';
import { identityOf } from '../provider.identity.ts';
import { safePath } from '../relay-state.ts';
import { HubCookies } from '../session.cookie.ts';
import { gatewayCaller, requestId } from '../../http/signed-in.request.ts';
import { readForm, single } from './form.body.ts';
import { logoutSender, sendOutcome } from './logout.answer.ts';
import { LogoutService } from './logout.service.ts';
import { hubMetadata } from './hub.metadata.ts';
import type { SamlProvider } from './saml.provider.ts';
import { SamlProviders } from './saml.providers.ts';
import { SamlSettings } from './saml.settings.ts';
import { SamlVerifier } from './saml.verifier.ts';
import { SignInFilter } from './sign-in.filter.ts';
import { IdentityMismatch, SignInRefused } from './verifier/sign-in.refused.ts';
import type { VerifiedAnswer } from './verifier/tasks.ts';

/** Signs people in through a provider. Serves pages and redirects to browsers; not part of the API. */
@ApiExcludeController()
@Controller('auth/saml')
@UseFilters(SignInFilter)
export class SamlController {
  private published: string | undefined;

  constructor(
    @Inject(AUTH_CONFIG) private readonly config: AuthConfig,
    private readonly providers: SamlProviders,
    private readonly settings: SamlSettings,
    private readonly verifier: SamlVerifier,
    private readonly logouts: LogoutService,
    private readonly cookies: HubCookies,
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
    @InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>,
  ) {}

  /** Redirects to the provider; shows a page of all providers if there are several and the request names none. */
  @Get('login')
  async login(@Req() request: Request, @Res() response: Response): Promise<void> {
    const path = safePath(request.query['RelayState']);
    const provider = this.asked(single(request.query, 'provider'));
    if (!provider) {
      const choices = this.providers.listed.map(({ config }) => config);
      return sendPage(response, 200, choosePage(choices, path));
    }
    const browser = this.cookies.bindsSignIn ? this.bind(request, response) : undefined;
    const saml = new SAML(this.settings.for(provider, { browser, requestId: requestId(request) }));
    const address = await saml.getAuthorizeUrlAsync(path, undefined, {});
    this.verifier.expectAnswer();
    response.redirect(address);
  }

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
    await this.openSession(request, response, answer);
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

  /** @throws Fault `not_found` for an unknown provider */
  private asked(id: string | undefined): SamlProvider | undefined {
    const { listed } = this.providers;
    if (id === undefined) return listed.length > 1 ? undefined : listed[0];
    const provider = this.providers.byId(id);
    if (provider) return provider;
    throw new Fault('not_found', "expected one of this hub's identity providers.");
  }

  /** Tabs that sign in concurrently share one cookie. */
  private bind(request: Request, response: Response): string {
    const browser = this.cookies.readSignIn(request) ?? randomBytes(32).toString('base64url');
    this.cookies.setSignIn(response, browser);
    return browser;
  }

  private async openSession(request: Request, response: Response, answer: VerifiedAnswer): Promise<void> {
    const { saml, assertionId, assertionExpires } = answer;
    const gateway = gatewayCaller(request);
    const { operator, user, quotas } = await this.requireSamePerson(gateway, saml);
    const mostSessions = limitIn(quotas, 'sessions');
    const { session, expires } = await this.identity.signIn(gateway, {
      saml,
      assertionId,
      assertionExpires: timestampFromDate(assertionExpires),
      previousSession: this.cookies.readSession(request) ?? '',
      remoteAddress: request.ip ?? '',
      userAgent: request.headers['user-agent'] ?? '',
      accountId: operator ? '' : (user?.accountId ?? ''),
      ...(user && { user: { userId: user.id, accountId: user.accountId } }),
      ...(mostSessions === undefined ? {} : { mostSessions }),
    });
    this.cookies.setSession(response, session, expires ? timestampDate(expires) : new Date());
  }

  /** Binds a user at the first sign-in. @throws IdentityMismatch for another identity afterwards */
  private async requireSamePerson(gateway: Caller, saml: VerifiedAnswer['saml']): Promise<ResolveMemberResponse> {
    const { email, name, provider } = saml;
    const person = { email, name, identity: identityOf(saml), bind: true };
    const member = await this.tenancy.resolveMember(gateway, person);
    if (member.identityMismatch) throw new IdentityMismatch(email, provider);
    return member;
  }
}
