import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { UsageKind } from '@warren/proto/events/v1/events';
import { UsageStep, type AccountMonth, type KindUsage, type UsageSpan } from '@warren/proto/tenancy/v1/usage';
import { z } from 'zod';
import { idSchema, isoTime, timeSchema } from '../http/schemas.ts';
import { FLEET } from '../http/example.fleet.ts';

const STEPS = { hour: UsageStep.HOUR, day: UsageStep.DAY, month: UsageStep.MONTH } as const;
/** Accounts of one answer. */
const LIMIT = 200;

const daySchema = z.iso
  .date('expected a day such as 2026-11-01')
  .refine((day) => Number(day.slice(0, 4)) >= 2000, 'expected a day such as 2026-11-01')
  .transform((day) => timestampFromDate(new Date(day)));

const monthSchema = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'expected a month such as 2026-11')
  .describe('A month in UTC.')
  .meta({ examples: ['2026-11'] });

export const accountUsageQuery = z.object({
  from: daySchema.describe('The first day, in UTC.').meta({ examples: ['2026-11-01'] }),
  to: daySchema.describe('The day after the last one, in UTC.').meta({ examples: ['2026-12-01'] }),
  step: z
    .enum(['hour', 'day', 'month'])
    .default('day')
    .describe('Spans of the answer. By hour at most 31 days, by day 366, by month 800.'),
});
export type AccountUsageQuery = z.output<typeof accountUsageQuery>;

export const usageQuery = z.object({
  month: monthSchema,
  after: idSchema.optional().describe('What the answer before gave as `next`.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .default(LIMIT)
    .transform((wanted) => Math.min(wanted, LIMIT))
    .describe(`Accounts of one answer; more than ${LIMIT} count as ${LIMIT}.`),
});
export type UsageQuery = z.output<typeof usageQuery>;

export const usageExportQuery = z.object({ month: monthSchema });
export type UsageExportQuery = z.output<typeof usageExportQuery>;

const sessionsSchema = z
  .object({
    seconds: z.number().describe('How long they were open, summed over all of them.'),
    opened: z.int().describe('How many were opened; of web services, requests and WebSockets.'),
    bytes_to_device: z.int(),
    bytes_from_device: z.int(),
  })
  .meta({
    id: 'SessionUsage',
    examples: [{ seconds: 3_600, opened: 4, bytes_to_device: 20_480, bytes_from_device: 1_048_576 }],
  });

const usageFields = {
  terminal: sessionsSchema,
  desktop: sessionsSchema,
  web: sessionsSchema,
  devices: z
    .object({
      seconds: z.number().describe('How long devices were connected, summed over all of them.'),
      connections: z.int().describe('How often devices connected.'),
    })
    .meta({ id: 'DeviceUsage', examples: [{ seconds: 86_400, connections: 2 }] }),
};
export type UsageFields = { [Kind in keyof typeof usageFields]: z.output<(typeof usageFields)[Kind]> };

const NOTHING = { seconds: 0, opened: 0, bytes_to_device: 0, bytes_from_device: 0 };
const EXAMPLE = {
  terminal: { seconds: 5_400.25, opened: 12, bytes_to_device: 48_210, bytes_from_device: 9_120_331 },
  desktop: NOTHING,
  web: NOTHING,
  devices: { seconds: 2_592_000, connections: 3 },
};

export const accountUsageSchema = z
  .object({
    usage: z
      .array(z.object({ start: timeSchema, ...usageFields }))
      .describe('Oldest first, without the spans in which nothing was used.'),
  })
  .meta({ id: 'AccountUsage', examples: [{ usage: [{ start: '2026-11-01T00:00:00.000Z', ...EXAMPLE }] }] });

export const monthUsageSchema = z
  .object({
    month: z.string(),
    accounts: z
      .array(
        z.object({
          account: idSchema,
          name: z.string().nullable().describe('Null: the account was deleted.'),
          ...usageFields,
        }),
      )
      .describe('Those that used anything, by id.'),
    next: idSchema.nullable().describe('To be given as `after` for the accounts that follow; null after the last.'),
  })
  .meta({
    id: 'MonthUsage',
    examples: [
      { month: '2026-11', accounts: [{ account: FLEET.account.id, name: FLEET.account.name, ...EXAMPLE }], next: null },
    ],
  });

export const stepOf = (step: AccountUsageQuery['step']): UsageStep => STEPS[step];

/** Every kind, those that were not used as well. */
export function usageFieldsOf(kinds: readonly KindUsage[]): UsageFields {
  const of = (kind: UsageKind) => sessionsOf(kinds.find((one) => one.kind === kind));
  const { seconds, opened: connections } = of(UsageKind.DEVICE);
  const [terminal, desktop, web] = [of(UsageKind.TERMINAL), of(UsageKind.DESKTOP), of(UsageKind.WEB)];
  return { terminal, desktop, web, devices: { seconds, connections } };
}

export function spanJson({ start, kinds }: UsageSpan) {
  return { start: isoTime(start), ...usageFieldsOf(kinds) };
}

export function accountMonthJson({ accountId: account, name, kinds }: AccountMonth) {
  return { account, name: name || null, ...usageFieldsOf(kinds) };
}

function sessionsOf(usage: KindUsage | undefined): z.output<typeof sessionsSchema> {
  if (!usage) return NOTHING;
  const { openMs, opened, bytesToDevice, bytesFromDevice } = usage;
  return {
    seconds: Number(openMs) / 1_000,
    opened: Number(opened),
    bytes_to_device: Number(bytesToDevice),
    bytes_from_device: Number(bytesFromDevice),
  };
}
