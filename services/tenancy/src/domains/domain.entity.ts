import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a lookup of the record found; `''` before the first. */
export type Finding = 'found' | 'absent' | 'different' | 'unreachable';

/** An e-mail domain that an account claims. */
@Entity('account_domains')
export class DomainEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  name!: string;

  /** What the TXT record has to contain. */
  @Column('text')
  token!: string;

  /** Address of a person. */
  @Column('text', { name: 'created_by' })
  createdBy!: string;

  @Column('timestamptz', { default: () => 'now()' })
  created!: Date;

  @Column('timestamptz', { nullable: true })
  verified!: Date | null;

  @Column('text', { default: '' })
  proof!: '' | 'dns' | 'operator';

  @Column('text', { name: 'verified_by', default: '' })
  verifiedBy!: string;

  @Column('timestamptz', { nullable: true })
  checked!: Date | null;

  @Column('text', { default: '' })
  finding!: '' | Finding;

  /** Since when lookups of a verified domain find no record. */
  @Column('timestamptz', { nullable: true })
  lost!: Date | null;
}
