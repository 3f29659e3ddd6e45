import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An event that was committed together with its change, and waits to be published. */
@Entity('outbox')
export class OutboxEntity {
  /** The event's id (UUIDv7, so ordered by time). */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  subject!: string;

  @Column('bytea')
  payload!: Buffer;
}
