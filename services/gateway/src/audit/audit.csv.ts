import type { AuditEventJson } from './audit.schemas.ts';

type Text = (event: AuditEventJson) => string;

const COLUMNS: readonly (readonly [name: string, text: Text])[] = [
  ['Time', ({ time }) => time],
  ['Account', ({ account }) => account.name],
  ['Actor kind', ({ actor }) => actor.kind],
  ['Actor', ({ actor }) => actor.name],
  ['Actor e-mail', ({ actor }) => actor.email],
  ['Action', ({ action }) => action],
  ['Target kind', ({ target }) => target?.kind ?? ''],
  ['Target', ({ target }) => target?.name ?? ''],
  ['Outcome', ({ outcome }) => outcome],
  ['Reason', ({ reason }) => reason],
  ['Changes', ({ changes }) => (changes.length === 0 ? '' : JSON.stringify(changes))],
  ['Details', ({ details }) => (Object.keys(details).length === 0 ? '' : JSON.stringify(details))],
  ['Address', ({ address }) => address],
  ['User agent', ({ userAgent }) => userAgent],
  ['Grant', ({ grant }) => grant],
  ['Request id', ({ requestId }) => requestId],
  ['Account id', ({ account }) => account.id],
  ['Actor id', ({ actor }) => actor.id],
  ['Target id', ({ target }) => target?.id ?? ''],
  ['Event id', ({ id }) => id],
];

export const AUDIT_COLUMNS = COLUMNS.map(([name]) => name);

/** An event as the values of the columns. */
export const auditRecord = (event: AuditEventJson): string[] => COLUMNS.map(([, text]) => text(event));
