import { Fault } from '@warren/platform/errors/fault';
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
  const problems = parsed.error.issues.map(({ path, message }) => ({ field: [field, ...path].join('.'), message }));
  const text = problems.map((problem) => `${problem.field}: ${problem.message}`).join('; ');
  throw new Fault('invalid_argument', `Not usable: ${text}.`, { problems });
}
