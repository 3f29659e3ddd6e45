import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { AuditAction } from './audit.entity.ts';

/** Where a request came from. */
export interface Origin {
  remoteAddress?: string;
  userAgent?: string;
}

/** An event to record in the audit trail. */
export interface AuditEvent extends Origin {
  /** Deduplicates a repeated event; generated if absent. */
  id?: string;
  action: AuditAction;
  actor?: string;
  detail?: string;
}

/** An audit event with its id and time, so that writing it again changes nothing. */
const auditRow = z.object({
  id: z.uuid(),
  time: z.iso.datetime(),
  action: z.string(),
  actor: z.string(),
  detail: z.string(),
  remote_address: z.string(),
  user_agent: z.string(),
});
export type AuditRow = z.output<typeof auditRow>;

/** A row as stored in Redis until it is written. */
export const waitingRow = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue('expected JSON');
      return z.NEVER;
    }
  })
  .pipe(auditRow);

/** The maximum length of a text; browsers and providers choose some of them. */
const MAX_TEXT = 400;

/** The row of an event that happens now. */
export function rowOf({ id, action, actor, detail, remoteAddress, userAgent }: AuditEvent): AuditRow {
  return {
    id: id ?? uuidv7(),
    time: new Date().toISOString(),
    action,
    actor: plain(actor),
    detail: plain(detail),
    remote_address: plain(remoteAddress),
    user_agent: plain(userAgent),
  };
}

/**
 * Bounds a text that a browser or provider chose. Control characters would forge lines when the trail is read in a terminal;
 * PostgreSQL's JSON rejects half a surrogate pair.
 */
export function plain(text = ''): string {
  return text
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, MAX_TEXT)
    .toWellFormed();
}
