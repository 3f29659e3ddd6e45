import type { ServiceAccountRole } from '@warren/rules/service-accounts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StatusName } from '../contract/enums.ts';

/** A service account: a member of an account that is no person. */
@Entity('service_accounts')
export class ServiceAccountEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  /** Unique in the account, in any case. */
  @Column('text')
  name!: string;

  /** The handle, in the form of an address. */
  @Column('text')
  email!: string;

  @Column('text')
  description!: string;

  @Column('text')
  role!: ServiceAccountRole;

  @Column('text')
  status!: StatusName;

  @Column('timestamptz', { default: () => 'now()' })
  created!: Date;

  /** Address of a person. */
  @Column('text', { name: 'created_by' })
  createdBy!: string;
}
