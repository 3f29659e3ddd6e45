import type { DescField } from '@bufbuild/protobuf';
import { invalidInput, shownValue, type FieldProblem } from '@warren/platform/errors/fault';
import { FactsSchema, type Facts } from '@warren/proto/agent/v1/agent';
import { deviceText, factsSchema } from '@warren/rules/facts';
import { isIP } from 'node:net';
import { z } from 'zod';

/** The serial of the hardware, or else of the installation. */
export const serialText = deviceText(128).trim().min(1, 'expected a serial');

/** An IPv4 or IPv6 address without a zone, or nothing. */
export const addressText = z
  .string()
  .max(45, 'expected an IP address')
  .refine((text) => text === '' || (isIP(text) > 0 && !text.includes('%')), 'expected an IP address');

/** Facts with columns, which the list searches and rollouts select by, and all others. */
const reportSchema = factsSchema.safeExtend({
  hostname: deviceText(253).trim().min(1, 'expected a name'),
  private_ip: addressText,
  agent_version: deviceText(64),
});

/** Validated facts. */
export type CheckedFacts = z.output<typeof reportSchema>;

const JSON_NAMES = new Map(FactsSchema.fields.map(({ name, localName }) => [name, localName]));

/**
 * Validates a device's report, which is untrusted.
 * @throws Fault `invalid_argument` with one problem for each bad field
 */
export function checkFacts(facts: Facts | undefined): CheckedFacts {
  return check('facts', reportSchema, facts && plainOf(facts), JSON_NAMES);
}

/** The fields of the message under their names in the schema. */
function plainOf(facts: Facts): Record<string, unknown> {
  const values = facts as unknown as Record<string, unknown>;
  const plain = ({ name, localName }: DescField): [string, unknown] => {
    const value = values[localName];
    return [name, typeof value === 'bigint' ? Number(value) : value];
  };
  return Object.fromEntries(FactsSchema.fields.map(plain));
}

/**
 * Parses an external value.
 * @param field its name, for the error
 * @param names of its fields, for the error, where they differ from those of the schema
 * @throws Fault `invalid_argument` that names each problem
 */
export function check<S extends z.ZodType>(
  field: string,
  schema: S,
  value: unknown,
  names: ReadonlyMap<string, string> = new Map(),
): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first, ...others] = parsed.error.issues.map((issue) => problemOf(field, issue, value, names));
  throw invalidInput(first ?? { field, message: 'it does not fit.' }, ...others);
}

function problemOf(
  root: string,
  { path, message }: z.core.$ZodIssue,
  value: unknown,
  names: ReadonlyMap<string, string>,
): FieldProblem {
  const came = path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
  const field = [root, ...path.map((key) => names.get(String(key)) ?? String(key))].join('.');
  return { field, message, ...(came === undefined ? {} : { value: shownValue(came) }) };
}
