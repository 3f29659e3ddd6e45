import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RoleName } from '../contract/enums.ts';

/** A group of an account; its role is the role of its users. */
@Entity('groups')
export class GroupEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  role!: RoleName;

  /** Created with the account; cannot be deleted. */
  @Column('boolean', { name: 'is_default' })
  isDefault!: boolean;

  @Column('timestamptz')
  created!: Date;
}
