import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeliveryName } from '../contract/enums.ts';

/** An invitation of a person into a group. Deleted once it is accepted or cancelled. */
@Entity('invitations')
export class InvitationEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('uuid', { name: 'group_id' })
  groupId!: string;

  /** Lower-case. */
  @Column('text')
  email!: string;

  /** SHA-256 of the token in the link; null until a mail carries one. */
  @Column('bytea', { name: 'token_hash', nullable: true })
  tokenHash!: Buffer | null;

  @Column('timestamptz', { name: 'invited_at' })
  invitedAt!: Date;

  @Column('timestamptz')
  expires!: Date;

  /** Id of the inviting user; null for an automatic invitation. */
  @Column('uuid', { name: 'invited_by', nullable: true })
  invitedBy!: string | null;

  /** The invited person's name from sign-up; empty until then. */
  @Column('text')
  name!: string;

  @Column('timestamptz', { name: 'agreed_at', nullable: true })
  agreedAt!: Date | null;

  /** Id of one round of sending; mails of older rounds are dropped. */
  @Column('uuid')
  mailing!: string;

  @Column('text')
  delivery!: DeliveryName;

  /** Why the mail server rejected the mail; empty without a problem. */
  @Column('text', { name: 'delivery_problem' })
  deliveryProblem!: string;

  /** The person has joined another account; resending invites again. */
  @Column('boolean', { name: 'joined_elsewhere', default: false })
  joinedElsewhere!: boolean;

  /** When the mail was last enqueued. */
  @Column('timestamptz', { name: 'enqueued_at', nullable: true })
  enqueuedAt!: Date | null;
}
