import type { OwnQuotas } from '@warren/rules/quotas';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StatusName } from '../contract/enums.ts';

/** A customer, or the provider itself (`operator`; there is one such account at most). */
@Entity('accounts')
export class AccountEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  @Column('boolean')
  operator!: boolean;

  @Column('text')
  status!: StatusName;

  @Column('timestamptz')
  created!: Date;

  /** Quotas that replace the installation's defaults. */
  @Column('jsonb')
  quotas!: OwnQuotas;

  /** The role Member gives no device: only grants do. */
  @Column('boolean', { name: 'explicit_grants', default: false })
  explicitGrants!: boolean;
}
