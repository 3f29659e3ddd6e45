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

/** SQL that every service with an outbox puts in its first migration. */
export const CREATE_OUTBOX = `
  CREATE TABLE outbox (
    id uuid PRIMARY KEY,
    subject text NOT NULL,
    payload bytea NOT NULL
  )`;
