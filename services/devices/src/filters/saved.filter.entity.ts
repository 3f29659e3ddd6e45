import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A filter that a person saved. */
@Entity('saved_filters')
export class SavedFilterEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  /** Null: shared by everybody who may see the account's devices. */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId!: string | null;

  @Column('text')
  name!: string;

  @Column('text')
  filter!: string;

  @Column('text')
  sort!: string;

  @Column('boolean')
  descending!: boolean;

  @Column('text', { array: true })
  columns!: string[];

  /** By which other filters of the account name it. Null for a person's, and for one that 0.1 has saved. */
  @Column('text', { nullable: true })
  key!: string | null;
}
