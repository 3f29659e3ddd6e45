import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A token that an identity provider provisions an account with. */
@Entity('scim_tokens')
export class ScimTokenEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  name!: string;

  /** The end of the secret. */
  @Column('text')
  hint!: string;

  /** Address of a person. */
  @Column('text', { name: 'created_by' })
  createdBy!: string;

  @Column('timestamptz')
  created!: Date;

  @Column('timestamptz')
  expires!: Date;

  /** To the minute. */
  @Column('timestamptz', { nullable: true })
  used!: Date | null;

  @Column('text', { name: 'used_from' })
  usedFrom!: string;
}
