import type { GrantPermission } from '@warren/rules/grants';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export type RequestState = 'open' | 'approved' | 'denied' | 'withdrawn' | 'expired';

/** A request of a person for permissions on devices. */
@Entity('access_requests')
export class AccessRequestEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text', { array: true })
  permissions!: GrantPermission[];

  @Column('text')
  filter!: string;

  /** The one device that the filter selects; null if it is about others. */
  @Column('uuid', { name: 'device_id', nullable: true })
  deviceId!: string | null;

  @Column('text', { name: 'device_name' })
  deviceName!: string;

  @Column('text')
  reason!: string;

  @Column('integer')
  minutes!: number;

  @Column('integer', { name: 'approvals_needed' })
  approvalsNeeded!: number;

  @Column('text')
  state!: RequestState;

  @Column('timestamptz')
  created!: Date;

  @Column('timestamptz')
  expires!: Date;

  @Column('timestamptz', { nullable: true })
  ended!: Date | null;

  @Column('uuid', { name: 'grant_id', nullable: true })
  grantId!: string | null;

  @Column('timestamptz', { name: 'grant_expires', nullable: true })
  grantExpires!: Date | null;
}
