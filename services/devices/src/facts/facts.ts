import { invalidInput, shownValue, type FieldProblem } from '@warren/platform/errors/fault';
import type { Facts } from '@warren/proto/agent/v1/agent';
import { isIP } from 'node:net';
import { z } from 'zod';

/** Control, invisible formatting and line separating characters, and lone surrogates: nothing that a device calls itself. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const MAX_BYTES = BigInt(Number.MAX_SAFE_INTEGER);
/** A thousand years. */
const MAX_UPTIME_S = 31_557_600_000n;
/** Those that `Facts.throttled` names. */
const KNOWN_FLAGS = 0xf_000f;

/** Text that a device sends: on one line, printable, bounded. */
export function deviceText(max: number) {
  return z
    .string()
    .max(max, { error: ({ input }) => `expected at most ${max} characters, came ${String(input).length}` })
    .refine((text) => !UNPRINTABLE.test(text), 'expected no control or invisible characters');
}

/** What the hardware, or else the installation, is known by. */
export const serialText = deviceText(128).trim().min(1, 'expected a serial');

/** An IPv4 or IPv6 address without a zone, or nothing. */
export const addressText = z
  .string()
  .max(45, 'expected an IP address')
  .refine((text) => text === '' || (isIP(text) > 0 && !text.includes('%')), 'expected an IP address');

const bytes = z.bigint().max(MAX_BYTES, `expected at most ${MAX_BYTES} bytes`);

const factsSchema = z
  .object({
    hostname: deviceText(253).trim().min(1, 'expected a name'),
    privateIp: addressText,
    cpuCores: z.number().int().max(65_536, 'expected at most 65536 cores'),
    cpuUsage: z.number().min(0, 'expected 0 to 100 percent').max(100, 'expected 0 to 100 percent'),
    totalRam: bytes,
    usedRam: bytes,
    totalDisk: bytes,
    usedDisk: bytes,
    os: deviceText(128),
    kernel: deviceText(128),
    arch: deviceText(32),
    model: deviceText(128),
    uptimeSeconds: z.bigint().max(MAX_UPTIME_S, `expected at most ${MAX_UPTIME_S} seconds`),
    agentVersion: deviceText(64),
    temperature: z
      .number()
      .int()
      .min(-60, 'expected -60 to 200 degrees Celsius')
      .max(200, 'expected -60 to 200 degrees Celsius')
      .optional(),
    // A newer firmware may know more flags: nobody can read them, so they are left out.
    throttled: z
      .number()
      .int()
      .transform((flags) => flags & KNOWN_FLAGS)
      .optional(),
  })
  .refine(({ usedRam, totalRam }) => usedRam <= totalRam, { path: ['usedRam'], error: 'expected at most totalRam' })
  .refine(({ usedDisk, totalDisk }) => usedDisk <= totalDisk, {
    path: ['usedDisk'],
    error: 'expected at most totalDisk',
  });

/** Facts that have been checked. */
export type CheckedFacts = z.output<typeof factsSchema>;

/**
 * Checks what a device says of itself; nothing of it is trusted before.
 * @throws Fault `invalid_argument` with one problem for each bad field
 */
export function checkFacts(facts: Facts | undefined): CheckedFacts {
  return check('facts', factsSchema, facts);
}

/**
 * Parses a value that comes from outside.
 * @param field its name, for the error
 * @throws Fault `invalid_argument` that names each problem
 */
export function check<S extends z.ZodType>(field: string, schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first, ...others] = parsed.error.issues.map((issue) => problemOf(field, issue, value));
  throw invalidInput(first ?? { field, message: 'it does not fit.' }, ...others);
}

function problemOf(root: string, { path, message }: z.core.$ZodIssue, value: unknown): FieldProblem {
  const came = path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
  const field = [root, ...path.map(String)].join('.');
  return { field, message, ...(came === undefined ? {} : { value: shownValue(came) }) };
}
