import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An API token. */
@Entity('api_tokens')
export class TokenEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  /** Of its secret. */
  @Column('text')
  hash!: string;

  @Column('text')
  hint!: string;

  @Column('text')
  name!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  /** In lower case. */
  @Column('text')
  email!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text', { array: true })
  permissions!: string[];

  @Column('text')
  filter!: string;

  /** Name of the service account whose it is; empty for a token of a user. */
  @Column('text', { name: 'service_account' })
  serviceAccount!: string;

  /** The token that it was made by, which it ends with; null for one that a person made. */
  @Column('uuid', { name: 'made_by', nullable: true })
  madeBy!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;

  @Column('text', { name: 'used_from' })
  usedFrom!: string;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
}
