import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { AuditAction } from './audit.entity.ts';

/** Where a request came from. */
export interface Origin {
  remoteAddress?: string;
  userAgent?: string;
}

/** What happened, to be written to the trail. */
export interface AuditLine extends Origin {
  /** Of what it tells of, so that being told twice is one line; a new one when not given. */
  id?: string;
  action: AuditAction;
  actor?: string;
  detail?: string;
}

/** A line with its id and its time, so that writing it again changes nothing. */
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

/** A row as it waits in Redis. */
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

/** The longest text that a column of the trail takes; browsers and providers choose some of them. */
const MAX_TEXT = 400;

/** The row of a line that is true now. */
export function rowOf({ id, action, actor, detail, remoteAddress, userAgent }: AuditLine): AuditRow {
  return {
    ...{ id: id ?? uuidv7(), time: new Date().toISOString(), action, actor: plain(actor), detail: plain(detail) },
    ...{ remote_address: plain(remoteAddress), user_agent: plain(userAgent) },
  };
}

/**
 * Bounds a text that a browser or provider chose. Control characters would forge lines when the trail is read in a terminal; of half
 * a character PostgreSQL's JSON takes nothing.
 */
export function plain(text = ''): string {
  return text
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, MAX_TEXT)
    .toWellFormed();
}
