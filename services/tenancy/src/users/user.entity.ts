import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StatusName } from '../accounts/account.entity.ts';

/** A person, in exactly one group. */
@Entity('users')
export class UserEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('uuid', { name: 'group_id' })
  groupId!: string;

  /** Lower-case. */
  @Column('text')
  email!: string;

  /** Empty until the first sign-in tells it. */
  @Column('text')
  name!: string;

  /** Address of the picture; empty for none. */
  @Column('text')
  picture!: string;

  @Column('text')
  status!: StatusName;

  @Column('timestamptz')
  created!: Date;
}
