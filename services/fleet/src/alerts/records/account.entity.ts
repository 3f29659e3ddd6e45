import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An account that the devices service knows. */
@Entity('alert_accounts')
export class AlertAccountEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;
}
