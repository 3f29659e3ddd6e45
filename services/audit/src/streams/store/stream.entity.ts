import type { StreamKindName } from '@warren/rules/audit-streams';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A stream of audit events to a receiver. */
@Entity('streams')
export class StreamEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  /** Null: of all accounts and of the installation. */
  @Column('uuid', { name: 'account_id', nullable: true })
  accountId!: string | null;

  @Column('text')
  name!: string;

  @Column('text')
  kind!: StreamKindName;

  /** Encrypted. */
  @Column('bytea')
  url!: Buffer;

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

  @Column('text')
  ca!: string;

  @Column('text', { array: true })
  actions!: string[];

  @Column('smallint', { array: true })
  outcomes!: number[];

  @Column('boolean')
  enabled!: boolean;

  /** Grows with each change that people make. */
  @Column('integer', { default: 1 })
  version!: number;

  @Column('timestamptz', { default: () => 'now()' })
  created!: Date;

  /** When the next delivery may begin. */
  @Column('timestamptz', { name: 'next_at', default: () => 'now()' })
  nextAt!: Date;

  @Column('integer', { default: 0 })
  failures!: number;

  @Column('timestamptz', { name: 'failing_since', nullable: true })
  failingSince!: Date | null;

  @Column('text', { name: 'last_error', default: '' })
  lastError!: string;

  @Column('timestamptz', { name: 'last_delivery', nullable: true })
  lastDelivery!: Date | null;

  @Column('bigint', { default: 0 })
  delivered!: string;

  @Column('bigint', { default: 0 })
  skipped!: string;

  @Column('timestamptz', { name: 'last_gap', nullable: true })
  lastGap!: Date | null;

  @Column('timestamptz', { nullable: true })
  tested!: Date | null;

  /** The process that delivers, until its lease ends. */
  @Column('uuid', { name: 'claimed_by', nullable: true })
  claimedBy!: string | null;

  @Column('timestamptz', { name: 'claimed_until', nullable: true })
  claimedUntil!: Date | null;
}
