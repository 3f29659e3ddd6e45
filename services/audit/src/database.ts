import type { DatabaseOptions } from '@warren/platform/database/database.options';
import { databaseServer, type DatabaseSettings } from '@warren/platform/database/database.server';
import { RetentionEntity } from './keeping/retention.entity.ts';
import { CreateAudit1796936400000 } from './migrations/20261210-create-audit.ts';
import { StreamEvents1797022800000 } from './migrations/20261211-stream-events.ts';
import { CreateRecordings1799269200000 } from './migrations/20270106-create-recordings.ts';
import { RecordDesktops1799874000000 } from './migrations/20270113-record-desktops.ts';
import { KeepFormerSecrets1798664400000 } from './migrations/20261230-keep-former-secrets.ts';
import { RecordingKeyEntity } from './recordings/store/key.entity.ts';
import { StreamEntity } from './streams/store/stream.entity.ts';

/** What the audit service keeps in PostgreSQL. The schema `audit` belongs to another role (ADR 43). */
export function databaseOptions(config: DatabaseSettings): DatabaseOptions {
  return {
    name: 'audit',
    schema: 'trail',
    ...databaseServer(config),
    entities: [RecordingKeyEntity, RetentionEntity, StreamEntity],
    migrations: [
      CreateAudit1796936400000,
      StreamEvents1797022800000,
      KeepFormerSecrets1798664400000,
      CreateRecordings1799269200000,
      RecordDesktops1799874000000,
    ],
  };
}
