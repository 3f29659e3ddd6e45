import type { AlertSeverity } from '@warren/rules/alerts';
import type { ChannelKindName, QuietHours } from '@warren/rules/channels';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A channel that notifications of an account go to. */
@Entity('notification_channels')
export class ChannelEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  kind!: ChannelKindName;

  /** Of a channel by mail. */
  @Column('text', { array: true })
  addresses!: string[];

  /** Of the others, encrypted. */
  @Column('bytea', { nullable: true })
  url!: Buffer | null;

  /** What people see of the URL. */
  @Column('text', { name: 'url_shown' })
  urlShown!: string;

  /** Signs the messages of a webhook; encrypted. */
  @Column('bytea', { nullable: true })
  secret!: Buffer | null;

  /** Signs as well until then, after it was replaced; encrypted. */
  @Column('bytea', { name: 'former_secret', nullable: true })
  formerSecret!: Buffer | null;

  @Column('timestamptz', { name: 'former_until', nullable: true })
  formerUntil!: Date | null;

  @Column('text', { name: 'min_severity' })
  minSeverity!: AlertSeverity;

  @Column('jsonb', { nullable: true })
  quiet!: QuietHours | null;

  @Column('integer', { name: 'after_minutes' })
  afterMinutes!: number;

  @Column('boolean')
  recovery!: boolean;

  @Column('boolean')
  enabled!: boolean;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'last_success', nullable: true })
  lastSuccess!: Date | null;

  @Column('timestamptz', { name: 'last_failure', nullable: true })
  lastFailure!: Date | null;

  @Column('text', { name: 'last_error' })
  lastError!: string;

  /** Consecutive answers that the URL exists no more. */
  @Column('integer')
  gone!: number;

  @Column('timestamptz', { name: 'tested_at', nullable: true })
  testedAt!: Date | null;
}
