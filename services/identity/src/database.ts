import type { DatabaseOptions } from '@warren/platform/database/database.options';
import { databaseServer, type DatabaseSettings } from '@warren/platform/database/database.server';
import { OutboxEntity } from '@warren/platform/events/outbox.entity';
import { GuestEntity } from './guests/guest.entity.ts';
import { IdentityEntity } from './identities/identity.entity.ts';
import { RefusedSignInEntity } from './refused-sign-ins/refused.sign-in.entity.ts';
import { TokenEntity } from './tokens/token.entity.ts';
import { CreateIdentity1795132800000 } from './migrations/20261120-create-identity.ts';
import { CreateApiTokens1797120000000 } from './migrations/20261213-create-api-tokens.ts';
import { NameServiceAccounts1797724800000 } from './migrations/20261220-name-service-accounts.ts';
import { CreateGuestLinks1798329600000 } from './migrations/20261227-create-guest-links.ts';
import { LinkWebServices1799010000000 } from './migrations/20270103-link-web-services.ts';
import { ReviewGuestLinks1799096400000 } from './migrations/20270104-review-guest-links.ts';
import { ClaimGuestReviews1799712000000 } from './migrations/20270112-claim-guest-reviews.ts';
import {
  IndexMakersOfTokens1799798460000,
  NoteMakersOfTokens1799798400000,
} from './migrations/20270113-note-makers-of-tokens.ts';
import { KeepRefusedSignIns1797292800000 } from './migrations/20261215-keep-refused-sign-ins.ts';

/** Identity's schema in PostgreSQL. */
export function databaseOptions(config: DatabaseSettings): DatabaseOptions {
  return {
    name: 'identity',
    ...databaseServer(config),
    entities: [GuestEntity, IdentityEntity, OutboxEntity, RefusedSignInEntity, TokenEntity],
    migrations: [
      CreateIdentity1795132800000,
      CreateApiTokens1797120000000,
      KeepRefusedSignIns1797292800000,
      NameServiceAccounts1797724800000,
      CreateGuestLinks1798329600000,
      LinkWebServices1799010000000,
      ReviewGuestLinks1799096400000,
      ClaimGuestReviews1799712000000,
      NoteMakersOfTokens1799798400000,
      IndexMakersOfTokens1799798460000,
    ],
  };
}
