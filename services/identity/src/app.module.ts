import { Module, type Type } from '@nestjs/common';
import { DatabaseModule } from '@warren/platform/database/database.module';
import { Outbox } from '@warren/platform/events/outbox';
import { RedisOutbox } from '@warren/platform/events/redis.outbox';
import { RedisModule } from '@warren/platform/redis/redis.module';
import { ServiceModule } from '@warren/platform/service/service.module';
import { FormerTrail } from './audit/former.trail.ts';
import type { IdentityConfig } from './config.ts';
import { databaseOptions } from './database.ts';
import { GuestEntrance } from './guests/guest.entrance.ts';
import { GuestExpiry } from './guests/guest.expiry.ts';
import { GuestLinksRpc } from './guests/guest.links.rpc.ts';
import { GuestLinksService } from './guests/guest.links.service.ts';
import { GuestReviews } from './guests/guest.reviews.ts';
import { GuestRights } from './guests/guest.rights.ts';
import { GuestPresence } from './sessions/guest.presence.ts';
import { IdentitiesService } from './identities/identities.service.ts';
import { MemberEvents } from './members/member.events.ts';
import { IdentityRpc } from './rpc/identity.rpc.ts';
import { SamlState } from './saml/saml.state.ts';
import { Seal, SEAL_OPTIONS, type SealOptions } from './secrets/seal.ts';
import { AccountSessions } from './sessions/account.sessions.ts';
import { SessionExpiry } from './sessions/session.expiry.ts';
import { SessionIndex } from './sessions/session.index.ts';
import { SESSION_OPTIONS, type SessionOptions } from './sessions/session.options.ts';
import { SessionStore } from './sessions/session.store.ts';
import { SessionsService } from './sessions/sessions.service.ts';
import { RefusedSignIns } from './refused-sign-ins/refused.sign-ins.service.ts';
import { RefusalLimit } from './sign-in/refusal.limit.ts';
import { SignInService } from './sign-in/sign-in.service.ts';
import { SocketTokensService } from './socket-tokens/socket-tokens.service.ts';
import { TokenVerifier } from './tokens/token.verifier.ts';
import { TokensRpc } from './tokens/tokens.rpc.ts';
import { TokensService } from './tokens/tokens.service.ts';

/** The identity process. */
export function appModule(config: IdentityConfig): Type {
  const sessions: SessionOptions = {
    idleMs: config.SESSION_IDLE_SECONDS * 1_000,
    absoluteMs: config.SESSION_ABSOLUTE_SECONDS * 1_000,
  };
  const seal: SealOptions = {
    keys: config.SESSION_KEY ?? [],
    acceptUnsealed: config.UNSEALED_SESSIONS === 'accept',
  };

  @Module({
    imports: [
      ServiceModule.forRoot({ name: 'identity', config, outbox: Outbox }),
      DatabaseModule.forRoot(databaseOptions(config)),
      RedisModule.forRoot({ config, name: 'identity' }),
    ],
    providers: [
      FormerTrail,
      GuestEntrance,
      GuestExpiry,
      GuestLinksRpc,
      GuestLinksService,
      GuestPresence,
      GuestReviews,
      GuestRights,
      IdentitiesService,
      IdentityRpc,
      MemberEvents,
      RedisOutbox,
      RefusalLimit,
      RefusedSignIns,
      Seal,
      SamlState,
      AccountSessions,
      SessionExpiry,
      SessionIndex,
      SessionStore,
      SessionsService,
      SignInService,
      SocketTokensService,
      TokenVerifier,
      TokensRpc,
      TokensService,
      { provide: SESSION_OPTIONS, useValue: sessions },
      { provide: SEAL_OPTIONS, useValue: seal },
    ],
  })
  class AppModule {}
  return AppModule;
}
