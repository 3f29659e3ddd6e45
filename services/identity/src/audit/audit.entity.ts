import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** The actions of audit events. */
export type AuditAction =
  | 'sign_in'
  | 'sign_in_refused'
  | 'sign_out'
  | 'sessions_ended'
  | 'sign_in_reset'
  | 'update_window_changed'
  | 'saved_filter_changed'
  | 'bulk_job_changed'
  | 'channel_changed'
  | 'alert_rule_changed'
  | 'alerts_acknowledged'
  | 'alert_silence_changed'
  | 'quotas_changed'
  | 'socket_token_issued'
  | 'socket_token_redeemed'
  | 'socket_token_refused';

/** An audit event. The database refuses to change or delete it. */
@Entity('audit')
export class AuditEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @CreateDateColumn({ type: 'timestamptz' })
  time!: Date;

  @Column('text')
  action!: AuditAction;

  /** E-mail of the actor or the affected user; empty if unknown. */
  @Column('text')
  actor!: string;

  @Column('text')
  detail!: string;

  @Column('text', { name: 'remote_address' })
  remoteAddress!: string;

  @Column('text', { name: 'user_agent' })
  userAgent!: string;
}
