import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { rowOf, type AuditEvent, type AuditRow } from './audit.event.ts';
import { insertEvents } from './audit.sql.ts';

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
    await insertEvents(manager, rows);
  }
}
