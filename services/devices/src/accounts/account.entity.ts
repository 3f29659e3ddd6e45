import type { OwnQuotas } from '@warren/rules/quotas';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The copy of an account that tenancy owns. */
@Entity('accounts')
export class AccountEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  @Column('boolean')
  active!: boolean;

  @Column('boolean')
  operator!: boolean;

  /** Quotas that replace the installation's defaults. */
  @Column('jsonb')
  quotas!: OwnQuotas;

  /** Deleted accounts stay as a row, so that late events don't bring them back. */
  @Column('boolean', { default: false })
  deleted!: boolean;

  /** Time of the event that the copy comes from; not read, as it is `-infinity` for a copy that comes from no event. */
  @Column('timestamptz', { name: 'as_of', select: false })
  asOf!: Date;
}
