import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StatusName } from '../contract/enums.ts';

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

  /** Empty until the first sign-in provides it. */
  @Column('text')
  name!: string;

  /** Address of the picture; empty for none. */
  @Column('text')
  picture!: string;

  @Column('text')
  status!: StatusName;

  /** Id of the identity provider that the user is bound to; empty until a sign-in. */
  @Column('text')
  provider!: string;

  /** The provider's name for the person; empty where it has no lasting one. */
  @Column('text')
  subject!: string;

  @Column('timestamptz', { name: 'bound_at', nullable: true })
  boundAt!: Date | null;

  @Column('timestamptz')
  created!: Date;
}
