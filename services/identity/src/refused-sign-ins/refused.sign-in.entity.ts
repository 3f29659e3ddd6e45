import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A refused sign-in, kept for administrators to find out why. */
@Entity('refused_sign_ins')
export class RefusedSignInEntity {
  /** UUIDv7, so ids have the order of time. */
  @PrimaryColumn('uuid')
  id!: string;

  @CreateDateColumn({ type: 'timestamptz' })
  time!: Date;

  /** Empty if the answer named no known provider. */
  @Column('text')
  provider!: string;

  /** Which check failed. */
  @Column('text')
  kind!: string;

  @Column('text')
  reason!: string;

  /** From verified content only; empty without it. */
  @Column('text')
  email!: string;

  /** Of the user or invitation with that address. */
  @Column('uuid', { name: 'account_id', nullable: true })
  accountId!: string | null;

  /** What was received and expected, without secrets. */
  @Column('jsonb')
  details!: Record<string, unknown>;

  @Column('text', { name: 'remote_address' })
  remoteAddress!: string;

  @Column('text', { name: 'user_agent' })
  userAgent!: string;

  @Column('text', { name: 'request_id' })
  requestId!: string;
}
