import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { rowOf, type AuditEvent, type AuditRow } from './audit.event.ts';

const INSERT = `
  INSERT INTO audit (id, time, action, actor, detail, remote_address, user_agent)
  SELECT id, time, action, actor, detail, remote_address, user_agent FROM jsonb_to_recordset($1) AS event
    (id uuid, time timestamptz, action text, actor text, detail text, remote_address text, user_agent text)
  ON CONFLICT (id) DO NOTHING`;

/** The audit trail: who did what, when, from where. It only grows. */
@Injectable()
export class AuditService {
  constructor(private readonly source: DataSource) {}

  /** @param manager a transaction that the event belongs to */
  async record(event: AuditEvent, manager?: EntityManager): Promise<void> {
    await this.write([rowOf(event)], manager);
  }

  /** Writes rows, and skips existing ones. */
  async write(rows: AuditRow[], manager: EntityManager = this.source.manager): Promise<void> {
    await manager.query(INSERT, [JSON.stringify(rows)]);
  }
}
