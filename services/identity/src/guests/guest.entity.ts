import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person whom a guest link let in. */
@Entity('guests')
export class GuestEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'link_id' })
  linkId!: string;

  /** Of the secret of the guest's cookie. */
  @Column('text')
  hash!: string;

  @Column('text')
  name!: string;

  /** Where the guest came from. */
  @Column('text')
  address!: string;

  @Column('timestamptz', { name: 'joined_at' })
  joinedAt!: Date;
}
