import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AuditChangeSchema } from '@warren/proto/audit/v1/audit';
import { plainText } from './plain.ts';

/** Fields of something, with values that JSON can hold. */
export type AuditFields = Readonly<Record<string, unknown>>;
type Change = MessageInitShape<typeof AuditChangeSchema>;

const MAX_CHANGES = 64;
const MAX_VALUE = 2_000;
/** Names of fields that are taken for secrets even if the service does not declare them. */
const SECRET = /password|passphrase|secret|private_?key|credential|^key$|^token$/i;

/**
 * Compares two states of something, field by field; null and undefined both mean that a field is not set. Cuts values of more than 2,000
 * characters of JSON, and leaves out changes beyond 64.
 * @param secrets fields of which only is recorded that they changed
 */
export function changesBetween(
  before: AuditFields = {},
  after: AuditFields = {},
  secrets: readonly string[] = [],
): Change[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = fields.flatMap((field): Change[] => {
    const [was, is] = [jsonText(before[field]), jsonText(after[field])];
    if (was === is) return [];
    if (secrets.includes(field) || SECRET.test(field)) return [{ field, hidden: true }];
    return [{ field, ...(was !== undefined && { before: cut(was) }), ...(is !== undefined && { after: cut(is) }) }];
  });
  return changes.slice(0, MAX_CHANGES);
}

/** Stays JSON: a string with the beginning of the value. */
function cut(text: string): string {
  return text.length > MAX_VALUE ? JSON.stringify(`${plainText(text, MAX_VALUE)}…`) : text;
}

/** A value as JSON with its keys sorted and without control characters; undefined for null and undefined. */
export function jsonText(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : JSON.stringify(value, simplified);
}

function simplified(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return plainText(value, Number.POSITIVE_INFINITY);
  if (value && typeof value === 'object' && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
  return value;
}
