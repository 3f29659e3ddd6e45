import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A silence: it withholds notifications of the alerts of some devices. */
@Entity('alert_silences')
export class AlertSilenceEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  /** Empty for all devices. */
  @Column('text')
  filter!: string;

  @Column('timestamptz')
  until!: Date;

  @Column('text')
  reason!: string;

  /** Address or name of a person. */
  @Column('text', { name: 'created_by' })
  createdBy!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
