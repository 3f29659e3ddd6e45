import type { Filter } from '@warren/rules/filter/filter';
import { parseReferring } from '@warren/rules/filter/parse';
import { referringGrantFilter, unfitForGrants } from '@warren/rules/grants';
import type { CreateGrant, Grant } from '../../lib/api/types.ts';
import { access as text } from '../../lib/messages/access.ts';

const HOUR = 3_600_000;
const SPANS = { '1h': HOUR, '8h': 8 * HOUR, '1d': 24 * HOUR, '7d': 168 * HOUR } as const;

/** What is typed and chosen in the form of a grant. */
export interface GrantDraft {
  kind: CreateGrant['subject']['kind'];
  /** Of the group or user. */
  subject: string | null;
  permissions: Grant['permissions'];
  filter: string;
  expiry: keyof typeof text.expiries;
  /** Value of a `datetime-local` field. */
  at: string;
  note: string;
}

/** The draft of a new grant, or of a change. */
export function draftOf(grant?: Grant): GrantDraft {
  if (!grant)
    return {
      kind: 'group',
      subject: null,
      permissions: ['view', 'terminal'],
      filter: '',
      expiry: 'never',
      at: '',
      note: '',
    };
  const { subject, permissions, filter, expires, note } = grant;
  return {
    kind: subject.kind,
    subject: subject.id,
    permissions,
    filter,
    expiry: expires === null ? 'never' : 'at',
    at: expires === null ? '' : localOf(new Date(expires)),
    note,
  };
}

/** When a grant ends, as ISO 8601; null if it does not, undefined for a time that is wrong. @param now ms since 1970 */
export function expiryOf({ expiry, at }: GrantDraft, now: number): string | null | undefined {
  if (expiry === 'never') return null;
  const end = expiry === 'at' ? Date.parse(at) : now + SPANS[expiry];
  return end > now ? new Date(end).toISOString() : undefined;
}

/** What is wrong with a filter of a grant. */
export function filterProblem(filter: string): string | undefined {
  if (!parseReferring(filter).ok) return text.wrongFilter;
  return referringGrantFilter.safeParse(filter).error?.issues[0]?.message;
}

/** Whether a grant can name a saved filter with this content. */
export const fitsGrants = (filter: Filter): boolean => unfitForGrants(filter) === undefined;

/** Whom a new grant names; undefined as long as nobody is chosen. */
export function subjectBody({ kind, subject }: GrantDraft): CreateGrant['subject'] | undefined {
  if (kind === 'everyone') return { kind };
  return subject === null ? undefined : { kind, id: subject };
}

function localOf(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
