import type { Facts } from '@warren/proto/agent/v1/agent';
import { FactsSchema } from '@warren/proto/agent/v1/agent';
import { factsSchema, type DeviceFacts } from '@warren/rules/facts';
import { z } from 'zod';

/** In the order of their bits in `Facts.throttled`; those since the start are 16 higher. */
const LIMITS = ['under_voltage', 'frequency_capped', 'throttled', 'temperature_limit'] as const;

const limits = z.array(z.enum(LIMITS));

/** Facts that the API does not show, or in another form: see `factFields`. */
const { arch: _arch, uptime_seconds: _uptime, throttled: _throttled, ...same } = factsSchema.shape;

/** What a device does not report is null. */
type Shown = {
  [Name in keyof typeof same]: undefined extends DeviceFacts[Name]
    ? z.ZodNullable<z.ZodType<NonNullable<DeviceFacts[Name]>>>
    : (typeof same)[Name];
};

function shown(): Shown {
  const fields = Object.entries(same).map(([name, schema]) => [
    name,
    schema instanceof z.ZodOptional ? schema.unwrap().nullable() : schema,
  ]);
  return Object.fromEntries(fields) as Shown;
}

/** The facts of a device in the API. */
export const factFields = {
  ...shown(),
  uptime: z.int().describe('Seconds since it started.'),
  throttling: z
    .object({
      now: limits,
      since_start: limits.describe('At some time since the device started.'),
    })
    .nullable()
    .describe('Why the firmware of a Raspberry Pi throttles it; null if the device does not report it.'),
};
export type FactsJson = z.output<z.ZodObject<typeof factFields>>;

const NAMES = Object.keys(same);
const SAME = FactsSchema.fields.filter(({ name }) => NAMES.includes(name));

/** Facts as the API shows them. */
export function factsJson(facts: Facts): FactsJson {
  const values = facts as unknown as Record<string, unknown>;
  const plain = SAME.map(({ name, localName }) => {
    const value = values[localName] ?? null;
    return [name, typeof value === 'bigint' ? Number(value) : value];
  });
  return {
    ...(Object.fromEntries(plain) as Omit<FactsJson, 'uptime' | 'throttling'>),
    uptime: Number(facts.uptimeSeconds),
    throttling: facts.throttled === undefined ? null : throttling(facts.throttled),
  };
}

function throttling(flags: number): FactsJson['throttling'] {
  const from = (first: number) => LIMITS.filter((_limit, bit) => ((flags >>> (first + bit)) & 1) === 1);
  return { now: from(0), since_start: from(16) };
}
