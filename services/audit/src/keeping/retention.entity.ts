import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How long an account keeps its events; an account without a row keeps them as long as the default says. */
@Entity('retention')
export class RetentionEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('integer')
  months!: number;
}
