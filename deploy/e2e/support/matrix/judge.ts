import { z } from 'zod';
import type { Answer } from './hub.ts';
import type { Field } from './openapi.ts';

const failure = z.object({
  statusCode: z.int(),
  code: z.string().min(1),
  message: z.string().regex(/^[^:]+: ./s),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});

/** Statuses of a value that is right by itself and leads nowhere: not there, not yours, in conflict, not the device's. */
const beside = [401, 403, 404, 409, 503];

function fits(field: Field, value: unknown): boolean {
  // JSON Schema reads patterns as Unicode (draft 2020-12, 6.4), the converter does not. Nor does it know `nullable` beside `allOf`.
  const { pattern, nullable, ...rest } = field.schema as { pattern?: string; type?: string; nullable?: boolean };
  if (nullable && value === null) return true;
  const schema = z.fromJSONSchema(rest as Parameters<typeof z.fromJSONSchema>[0]);
  const numeric = field.in !== 'body' && (rest.type === 'integer' || rest.type === 'number');
  if (pattern !== undefined && typeof value === 'string' && !new RegExp(pattern, 'u').test(value)) return false;
  return schema.safeParse(numeric ? Number(value) : arriving(value)).success;
}

/** What is left of a value when the hub checks it: Nest removes the keys that lead to the prototype of all objects. */
function arriving(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !['__proto__', 'constructor', 'prototype'].includes(key));
  return Object.fromEntries(kept);
}

/** Whether the answer names the field, or something inside it. */
function names(body: z.output<typeof failure>, field: string): boolean {
  return (body.errors ?? []).some((one) => one.field === field || one.field.startsWith(`${field}.`));
}

/**
 * What is wrong with the answer to a value in one field; nothing when all is well. A value that the described schema refuses
 * must be a 400 that names the field. One that it allows may also be taken, or lead nowhere.
 */
export function faultOf(field: Field, value: unknown, { status, body }: Answer): string | undefined {
  const legal = fits(field, value);
  if (status >= 200 && status < 300) return legal ? undefined : `${status} for what the schema refuses`;
  const parsed = failure.safeParse(body);
  if (!parsed.success || parsed.data.statusCode !== status)
    return `${status} in no known form: ${JSON.stringify(body)}`;
  if (status === 503 && parsed.data.code !== 'unavailable') return `503 ${parsed.data.message}`;
  if (legal && beside.includes(status)) return undefined;
  if (status !== 400) return `${status} ${parsed.data.message}`;
  return names(parsed.data, field.name) ? undefined : `400 that does not name the field: ${parsed.data.message}`;
}

/** What is wrong with the answer to an invalid body. */
export function faultOfBody({ status, body }: Answer): string | undefined {
  const parsed = failure.safeParse(body);
  if (!parsed.success) return `${status} in no known form: ${JSON.stringify(body)}`;
  return [400, 413, 415].includes(status) ? undefined : `${status} ${parsed.data.message}`;
}
