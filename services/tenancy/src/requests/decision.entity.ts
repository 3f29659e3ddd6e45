import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What an approver said about a request. */
@Entity('access_decisions')
export class AccessDecisionEntity {
  @PrimaryColumn('uuid', { name: 'request_id' })
  requestId!: string;

  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  /** The name of the approver. */
  @Column('text')
  name!: string;

  @Column('boolean')
  approved!: boolean;

  /** 0 for a denial. */
  @Column('integer')
  minutes!: number;

  @Column('text')
  note!: string;

  @Column('timestamptz', { default: () => 'now()' })
  decided!: Date;
}
