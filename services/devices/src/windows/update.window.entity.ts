import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { UpdateWindow } from './update.window.ts';

/** The update window of an account; an account without one has no row. */
@Entity('update_windows')
export class UpdateWindowEntity implements UpdateWindow {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('smallint', { array: true })
  days!: number[];

  @Column('text', { name: 'from_time' })
  from!: string;

  @Column('text', { name: 'to_time' })
  to!: string;

  @Column('text', { name: 'time_zone' })
  timeZone!: string;
}
