import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { MultiSamlStrategy, type PassportSamlConfig, type Profile } from '@node-saml/passport-saml';
import { Fault } from '@warren/platform/errors/fault';
import type { Request } from 'express';
import { acsUrl, AUTH_CONFIG, type AuthConfig } from '../auth.config.ts';
import { HubCookies } from '../session.cookie.ts';
import { requestId } from '../signed-in.request.ts';
import { verifiedSignIn, type VerifiedSignIn } from './assertion.ts';
import { decryptionKey } from './encrypted.ts';
import { readEnvelope, requireDestination } from './envelope.ts';
import { single } from './form.body.ts';
import type { SamlProvider } from './saml.provider.ts';
import { SamlProviders } from './saml.providers.ts';
import type { SamlRequest } from './saml.request.ts';
import { CLOCK_SKEW_MS, SamlSettings } from './saml.settings.ts';
import { SignInRefused } from './sign-in.refused.ts';

type OptionsCallback = (error: Error | null, options?: Partial<PassportSamlConfig>) => void;

interface Options {
  passReqToCallback: true;
  getSamlOptions(request: Request, done: OptionsCallback): void;
}

/** passport-saml's types ask for callbacks that PassportStrategy adds by itself, and bring an older express along. */
const Strategy = MultiSamlStrategy as unknown as new (options: Options) => MultiSamlStrategy;

/** Passport's strategy for all providers: chooses the provider, lets node-saml do the work, checks what it leaves open. */
@Injectable()
export class SamlStrategy extends PassportStrategy(Strategy, 'saml') {
  constructor(
    @Inject(AUTH_CONFIG) private readonly config: AuthConfig,
    private readonly providers: SamlProviders,
    private readonly settings: SamlSettings,
    private readonly cookies: HubCookies,
  ) {
    super({
      passReqToCallback: true,
      getSamlOptions: (request: Request, done: OptionsCallback) => {
        this.optionsFor(request)
          .then((options) => done(null, options))
          .catch((error: unknown) => done(error as Error));
      },
    });
  }

  /** Called by passport once node-saml has verified an answer. */
  validate(request: Request, profile: Profile | null): VerifiedSignIn {
    const { config, metadata } = this.providerOf(request);
    if (!profile) throw new SignInRefused('the provider signed nobody in', { provider: config.id });
    return verifiedSignIn(profile, {
      provider: config.id,
      entityId: metadata.entityId,
      acsUrl: acsUrl(this.config),
      domains: config.domains,
      clockSkewMs: CLOCK_SKEW_MS,
    });
  }

  /**
   * The provider that a request is about: the one asked for at the login, the issuer of an answer.
   * @throws Fault `not_found` for a provider that is none; SignInRefused for an answer of nobody that is known
   */
  providerOf(request: Request): SamlProvider {
    return request.method === 'POST' ? this.answering(request) : this.asked(request);
  }

  private asked(request: Request): SamlProvider {
    const id = single(request.query, 'provider') ?? this.providers.listed[0]?.config.id ?? '';
    const provider = this.providers.byId(id);
    if (provider) return provider;
    throw new Fault('not_found', `provider: expected one of this hub's identity providers.`);
  }

  private answering(request: Request): SamlProvider {
    const envelope = readEnvelope(answerOf(request));
    if (envelope.kind !== 'Response') throw new SignInRefused('expected a Response');
    requireDestination(envelope, acsUrl(this.config));
    return this.providers.byEntityId(envelope.issuer);
  }

  private async optionsFor(request: SamlRequest): Promise<Partial<PassportSamlConfig>> {
    const provider = this.providerOf(request);
    request.provider = provider.config.id;
    const browser = request.browser ?? this.cookies.readSignIn(request);
    const owner = { browser, requestId: requestId(request) };
    if (request.method !== 'POST') return this.settings.for(provider, owner);
    const key = await decryptionKey(answerOf(request), this.settings.decryptionKeys);
    return this.settings.for(provider, owner, key);
  }
}

/** The posted answer, XML. @throws SignInRefused without one */
function answerOf(request: Request): string {
  const encoded = single(request.body, 'SAMLResponse');
  if (!encoded) throw new SignInRefused('no SAMLResponse');
  return Buffer.from(encoded, 'base64').toString('utf8');
}
