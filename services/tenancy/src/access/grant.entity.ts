import type { GrantPermission } from '@warren/rules/grants';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Where a grant comes from. */
type GrantSourceName = 'administrator' | 'request';

/** What a grant allows, whatever its subject is. */
abstract class AnyGrant {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text', { array: true })
  permissions!: GrantPermission[];

  @Column('text')
  filter!: string;

  @Column('text')
  note!: string;

  @Column('timestamptz', { nullable: true })
  expires!: Date | null;

  @Column('timestamptz')
  created!: Date;

  /** Address of a person. */
  @Column('text', { name: 'created_by' })
  createdBy!: string;
}

/** A grant of a user or a group. Without both it is of every user of the account. */
@Entity('grants')
export class GrantEntity extends AnyGrant {
  @Column('uuid', { name: 'user_id', nullable: true })
  userId!: string | null;

  @Column('uuid', { name: 'group_id', nullable: true })
  groupId!: string | null;

  @Column('text')
  source!: GrantSourceName;
}

/** A grant of a service account, which administrators alone create. */
@Entity('service_account_grants')
export class ServiceAccountGrantEntity extends AnyGrant {
  @Column('uuid', { name: 'service_account_id' })
  serviceAccountId!: string;
}
