import type { AlertSeverity } from '@warren/rules/alerts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Content } from '../formats/content.ts';

export type StateName = 'waiting' | 'delivered' | 'failed';

/** A message to a channel. */
@Entity('notifications')
export class NotificationEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('uuid', { name: 'channel_id' })
  channelId!: string;

  /** Null for a summary of several rules. */
  @Column('uuid', { name: 'rule_id', nullable: true })
  ruleId!: string | null;

  @Column('text')
  severity!: AlertSeverity;

  @Column('text')
  title!: string;

  @Column('jsonb')
  content!: Content;

  @Column('text', { default: 'waiting' })
  state!: StateName;

  @Column('integer', { default: 0 })
  attempts!: number;

  @Column('text', { name: 'last_error', default: '' })
  lastError!: string;

  @Column('timestamptz', { name: 'next_attempt' })
  nextAttempt!: Date;

  /** Until when an attempt that was queued or begun is a process's. */
  @Column('timestamptz', { name: 'leased_until', nullable: true })
  leasedUntil!: Date | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'delivered_at', nullable: true })
  deliveredAt!: Date | null;
}
