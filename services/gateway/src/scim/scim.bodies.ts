import { SCIM_LIMITS } from '@warren/rules/scim';
import { z } from 'zod';
import { ScimFault } from '../http/scim.fault.ts';

export const USER_URN = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_URN = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const PATCH_URN = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** Maximum nesting of a body: more than any resource has. */
const MAX_DEPTH = 8;
const MAX_EMAILS = 20;

const text = z
  .string()
  .max(SCIM_LIMITS.text, `expected at most ${SCIM_LIMITS.text} characters`)
  .refine((one) => one.isWellFormed() && !one.includes('\0'), 'expected whole characters');
const optional = text.nullish().transform((one) => one ?? undefined);

/** Entra ID sends booleans as `"True"` and `"False"`, too. */
export const scimBoolean = z.union(
  [
    z.boolean(),
    z
      .string()
      .regex(/^(true|false)$/i)
      .transform((one) => one.toLowerCase() === 'true'),
  ],
  'expected true or false',
);

const email = z.preprocess(lowerKeys, z.object({ value: optional, primary: scimBoolean.nullish() }));
export const emailsSchema = z.array(email).max(MAX_EMAILS, `expected at most ${MAX_EMAILS} addresses`);

export const nameSchema = z.preprocess(
  lowerKeys,
  z.object({ formatted: optional, givenname: optional, familyname: optional }),
);

const member = z.preprocess(lowerKeys, z.object({ value: text.min(1) })).transform(({ value }) => value);
export const membersSchema = z.preprocess(
  (one) => (Array.isArray(one) ? one : [one]),
  z.array(member).max(SCIM_LIMITS.members, tooMany()),
);

/** What Warren keeps of a user. Everything else that a client sends is ignored, above all `roles` and `groups`. */
export const userSchema = z.object({
  username: text.min(1, 'expected a user name'),
  externalid: optional,
  displayname: optional,
  name: nameSchema.nullish(),
  emails: emailsSchema.nullish(),
  active: scimBoolean.nullish(),
});

export const groupSchema = z.object({
  displayname: text.min(1, 'expected a name'),
  externalid: optional,
  members: membersSchema.nullish(),
});

const operation = z.preprocess(
  lowerKeys,
  z.object({
    op: z
      .string()
      .toLowerCase()
      .pipe(z.enum(['add', 'replace', 'remove'], 'expected add, replace or remove')),
    path: z.string().max(SCIM_LIMITS.filter, `expected at most ${SCIM_LIMITS.filter} characters`).nullish(),
    value: z.unknown().optional(),
  }),
);
export type PatchOperation = z.output<typeof operation>;

export const patchSchema = z.object({
  operations: z.array(operation).min(1, 'expected an operation').max(SCIM_LIMITS.operations, tooMany()),
});

function tooMany(): string {
  return `expected at most ${SCIM_LIMITS.members} in one request`;
}

/** Names of attributes ignore case (RFC 7643, section 2.1). */
export function lowerKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.toLowerCase(), one as unknown]));
}

/**
 * Reads a body that names its schema.
 * @throws ScimFault `invalidSyntax` for no object, another schema, or too many levels; `invalidValue` with the field
 */
export function scimBody<S extends z.ZodType>(body: unknown, urn: string, schema: S): z.output<S> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ScimFault('invalidSyntax', 'expected a JSON object as application/scim+json.');
  if (depthOf(body) > MAX_DEPTH) throw new ScimFault('invalidSyntax', `expected at most ${MAX_DEPTH} levels.`);
  const fields = lowerKeys(body) as Record<string, unknown>;
  const { schemas } = fields;
  if (
    !Array.isArray(schemas) ||
    !schemas.some((one) => typeof one === 'string' && one.toLowerCase() === urn.toLowerCase())
  )
    throw new ScimFault('invalidSyntax', `schemas: expected ${urn}.`);
  return scimValue(fields, schema);
}

/** @throws ScimFault `invalidValue` with the field */
export function scimValue<S extends z.ZodType>(value: unknown, schema: S, field = ''): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = [field, ...(issue?.path ?? [])]
    .filter((part) => part !== '')
    .map(String)
    .join('.');
  throw new ScimFault('invalidValue', `${at}: ${issue?.message ?? 'it does not fit'}.`);
}

function depthOf(value: unknown): number {
  let level: unknown[] = [value];
  let depth = 0;
  for (; level.length > 0 && depth <= MAX_DEPTH; depth++)
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  return level.length > 0 ? depth + 1 : depth;
}
