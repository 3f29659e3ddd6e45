import { Column, Entity, PrimaryColumn } from 'typeorm';

export type BulkActionName =
  | 'reboot'
  | 'update'
  | 'move'
  | 'delete'
  | 'enable_console'
  | 'disable_console'
  | 'enable_web'
  | 'disable_web';

/** An action on many devices. */
@Entity('bulk_jobs')
export class BulkJobEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  /** The account of the person who started it, as of then. */
  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text', { name: 'user_email' })
  userEmail!: string;

  @Column('text', { name: 'user_name' })
  userName!: string;

  @Column('text')
  action!: BulkActionName;

  /** Null where devices were selected by id. */
  @Column('text', { nullable: true })
  filter!: string | null;

  /** Empty for all accounts. */
  @Column('text', { name: 'filter_account_name' })
  filterAccountName!: string;

  @Column('uuid', { name: 'target_account_id', nullable: true })
  targetAccountId!: string | null;

  @Column('text', { name: 'target_account_name' })
  targetAccountName!: string;

  @Column('text')
  state!: 'running' | 'done' | 'cancelled';

  @Column('text', { name: 'cancelled_by' })
  cancelledBy!: string;

  @Column('timestamptz')
  created!: Date;

  @Column('timestamptz', { nullable: true })
  finished!: Date | null;
}
