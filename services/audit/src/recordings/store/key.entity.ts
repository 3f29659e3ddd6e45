import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that recordings of an account are encrypted with. */
@Entity('recording_keys')
export class RecordingKeyEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('integer')
  version!: number;

  /** Encrypted by CHANNEL_KEY. */
  @Column('bytea')
  secret!: Buffer;

  @Column('timestamptz', { default: () => 'now()' })
  created!: Date;
}
