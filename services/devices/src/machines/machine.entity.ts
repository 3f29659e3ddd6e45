import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A machine that dials with the key of a device, and another serial. */
@Entity('device_machines')
export class MachineEntity {
  @PrimaryColumn('uuid', { name: 'device_id' })
  deviceId!: string;

  @PrimaryColumn('text')
  serial!: string;

  @Column('text')
  model!: string;

  /** Empty if unknown. */
  @Column('text', { name: 'public_ip' })
  publicIp!: string;

  @Column('timestamptz', { name: 'first_seen' })
  firstSeen!: Date;

  @Column('timestamptz', { name: 'last_seen' })
  lastSeen!: Date;

  /** When a person decided that it is a separate device; null while it waits for a decision. */
  @Column('timestamptz', { name: 'separate_since', nullable: true })
  separateSince!: Date | null;

  /** Name of that person; empty before. */
  @Column('text', { name: 'decided_by' })
  decidedBy!: string;

  /** The device that it enrolled as; null before. */
  @Column('uuid', { name: 'separated_id', nullable: true })
  separatedId!: string | null;
}
