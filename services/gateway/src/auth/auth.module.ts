import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { RedisOutbox } from '@warren/platform/events/redis.outbox';
import { ApiCallsGuard } from '../http/api.calls.guard.ts';
import { ApiCalls } from '../http/api.calls.ts';
import { AUTH_CONFIG, type AuthConfig } from './config/auth.config.ts';
import { SignInDoctorController } from './doctor/sign-in.doctor.controller.ts';
import { EntryController } from './entry/entry.controller.ts';
import { SignInProviders } from './entry/sign-in.providers.ts';
import { SignInStart } from './entry/sign-in.start.ts';
import { SignOut } from './entry/sign-out.ts';
import { KnownSessions } from './known.sessions.ts';
import { OidcController } from './oidc/oidc.controller.ts';
import { OidcLogout } from './oidc/oidc.logout.ts';
import { OidcProviders } from './oidc/oidc.providers.ts';
import { OidcSignIn } from './oidc/oidc.sign-in.ts';
import { PendingSignIns } from './oidc/pending.sign-ins.ts';
import { RecentSignInGuard } from './recent/recent.guard.ts';
import { LogoutController } from './saml/logout.controller.ts';
import { LogoutService } from './saml/logout.service.ts';
import { SamlController } from './saml/saml.controller.ts';
import { SamlProviders } from './saml/saml.providers.ts';
import { SamlSettings } from './saml/saml.settings.ts';
import { SamlSignIn } from './saml/saml.sign-in.ts';
import { SamlVerifier } from './saml/saml.verifier.ts';
import { WorkerHost } from './saml/verifier/worker.host.ts';
import { HubCookies } from './session.cookie.ts';
import { SessionController } from './session.controller.ts';
import { SessionGuard } from './session.guard.ts';
import { SessionOpener } from './sign-in/session.opener.ts';
import { SignInTrial } from './sign-in/sign-in.trial.ts';
import { SessionReader } from './session.reader.ts';
import { TOKEN_RATES, TokenAccess } from './tokens/token.access.ts';
import { TokenGuard } from './tokens/token.guard.ts';
import type { Rates } from '../http/rate.limits.ts';

/** Provides sign-in and sign-out, and the session guard of every route. */
@Module({})
export class AuthModule {
  static forRoot(config: AuthConfig & { RATE_LIMITS: Rates | false }): DynamicModule {
    return {
      module: AuthModule,
      global: true,
      controllers: [
        EntryController,
        OidcController,
        SignInDoctorController,
        SamlController,
        LogoutController,
        SessionController,
      ],
      providers: [
        KnownSessions,
        LogoutService,
        RedisOutbox,
        OidcLogout,
        OidcProviders,
        OidcSignIn,
        PendingSignIns,
        SamlProviders,
        SamlSettings,
        SamlSignIn,
        SamlVerifier,
        SessionOpener,
        SignInProviders,
        SignInStart,
        SignInTrial,
        SignOut,
        {
          provide: WorkerHost,
          useFactory: ({ facts }: SamlSettings) => new WorkerHost(facts),
          inject: [SamlSettings],
        },
        { provide: AUTH_CONFIG, useValue: config },
        { provide: HubCookies, useFactory: () => new HubCookies(config.HUB_URL) },
        SessionReader,
        TokenAccess,
        { provide: TOKEN_RATES, useValue: config.RATE_LIMITS },
        { provide: APP_GUARD, useClass: SessionGuard },
        { provide: APP_GUARD, useClass: TokenGuard },
        { provide: APP_GUARD, useClass: RecentSignInGuard },
        ApiCalls,
        { provide: APP_GUARD, useClass: ApiCallsGuard },
      ],
      exports: [ApiCalls, SessionReader, SignInProviders, HubCookies, RedisOutbox],
    };
  }
}
