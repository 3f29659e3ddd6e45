import type { AlertKind, AlertSeverity } from '@warren/rules/alerts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A rule of alerts. */
@Entity('alert_rules')
export class AlertRuleEntity {
  /** UUIDv7; of a default rule a random one. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  kind!: AlertKind;

  @Column('text')
  filter!: string;

  @Column('text')
  condition!: string;

  @Column('integer')
  minutes!: number;

  @Column('integer')
  days!: number;

  @Column('integer')
  times!: number;

  @Column('text')
  severity!: AlertSeverity;

  @Column('boolean')
  enabled!: boolean;

  /** Of a default rule. */
  @Column('text', { nullable: true })
  preset!: string | null;

  /** Changes with each edit: what was found by the rule before is not applied to the one after. */
  @Column('integer', { default: 1 })
  revision!: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}
