import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RolloutStateName } from './rollout.row.ts';

/** The update of devices to a version. */
@Entity('rollouts')
export class RolloutEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  version!: string;

  /** Null for all accounts. */
  @Column('uuid', { name: 'account_id', nullable: true })
  accountId!: string | null;

  /** In percent. */
  @Column('integer')
  share!: number;

  @Column('text')
  state!: RolloutStateName;

  /** Why it stopped by itself; empty if it did not. */
  @Column('text')
  why!: string;

  /** The failures that a person had seen when resuming it. */
  @Column('integer', { name: 'seen_failed' })
  seenFailed!: number;

  /** The devices that had tried the version then. */
  @Column('integer', { name: 'seen_tried' })
  seenTried!: number;

  @Column('timestamptz')
  created!: Date;

  /** Name of the person. */
  @Column('text', { name: 'created_by' })
  createdBy!: string;
}
