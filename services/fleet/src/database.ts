import type { DatabaseOptions } from '@warren/platform/database/database.options';
import { databaseServer, type DatabaseSettings } from '@warren/platform/database/database.server';
import { OutboxEntity } from '@warren/platform/events/outbox.entity';
import { AlertAccountEntity } from './alerts/records/account.entity.ts';
import { AlertRuleEntity } from './alerts/records/rule.entity.ts';
import { AlertSilenceEntity } from './alerts/records/silence.entity.ts';
import { CreateFleet1796158800000 } from './migrations/20261201-create-fleet.ts';
import { CreateAlerts1796504400000 } from './migrations/20261205-create-alerts.ts';
import { NotifyChannels1796590800000 } from './migrations/20261206-notify-channels.ts';
import { KeepFormerSecrets1798664400000 } from './migrations/20261230-keep-former-secrets.ts';
import { EvaluateExpressions1800478800000 } from './migrations/20270120-evaluate-expressions.ts';
import { ChannelEntity } from './notifications/channels/channel.entity.ts';
import { NotificationEntity } from './notifications/delivery/notification.entity.ts';

/** What fleet keeps in PostgreSQL. */
export function databaseOptions(config: DatabaseSettings): DatabaseOptions {
  return {
    name: 'fleet',
    ...databaseServer(config),
    entities: [
      AlertAccountEntity,
      AlertRuleEntity,
      AlertSilenceEntity,
      ChannelEntity,
      NotificationEntity,
      OutboxEntity,
    ],
    migrations: [
      CreateFleet1796158800000,
      CreateAlerts1796504400000,
      NotifyChannels1796590800000,
      KeepFormerSecrets1798664400000,
      EvaluateExpressions1800478800000,
    ],
  };
}
