import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditEntity, type AuditAction } from './audit.entity.ts';

/** Where a request came from. */
export interface Origin {
  remoteAddress?: string;
  userAgent?: string;
}

export interface AuditLine extends Origin {
  action: AuditAction;
  actor?: string;
  detail?: string;
}

/** The longest text that a column of the trail takes; browsers and providers choose some of them. */
const MAX_TEXT = 400;

// Control characters would forge lines for whoever reads the trail in a terminal.
function plain(text = ''): string {
  return text.replace(/\p{Cc}/gu, ' ').slice(0, MAX_TEXT);
}

/** The audit trail: who did what, when, from where. It only grows. */
@Injectable()
export class AuditService {
  constructor(private readonly source: DataSource) {}

  /** @param manager a transaction that the line belongs to */
  async record(line: AuditLine, manager: EntityManager = this.source.manager): Promise<void> {
    await manager.insert(AuditEntity, {
      id: uuidv7(),
      action: line.action,
      actor: plain(line.actor),
      detail: plain(line.detail),
      remoteAddress: plain(line.remoteAddress),
      userAgent: plain(line.userAgent),
    });
  }
}
