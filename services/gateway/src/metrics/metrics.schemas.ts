import { Metric } from '@warren/proto/fleet/v1/metrics';
import { z } from 'zod';
import { idSchema } from '../http/schemas.ts';

/** Metrics by their names in the API, and what their values are. */
export const METRICS = {
  cpu: { metric: Metric.CPU, unit: 'percent' },
  load: { metric: Metric.LOAD, unit: 'load' },
  memory: { metric: Metric.MEMORY, unit: 'bytes' },
  temperature: { metric: Metric.TEMPERATURE, unit: 'celsius' },
  disk: { metric: Metric.DISK, unit: 'bytes' },
  network_rx: { metric: Metric.NETWORK_RX, unit: 'bytes_per_second' },
  network_tx: { metric: Metric.NETWORK_TX, unit: 'bytes_per_second' },
  round_trip: { metric: Metric.ROUND_TRIP, unit: 'milliseconds' },
  throttled: { metric: Metric.THROTTLED, unit: 'share' },
} as const;
export type MetricName = keyof typeof METRICS;

const NAMES = Object.keys(METRICS) as [MetricName, ...MetricName[]];
const EXPECTED = `expected names of ${NAMES.join(', ')} with commas`;
const MOST_DEVICES = 100;

/** A list with commas. */
const listOf = (text: string): string[] => text.split(',').filter(Boolean);

const seriesSchema = z
  .string()
  .default('')
  .refine((text) => listOf(text).every((name) => NAMES.some((known) => known === name)), EXPECTED)
  .transform((text) => listOf(text).map((name) => METRICS[name as MetricName].metric))
  .describe(`Names with commas: ${NAMES.join(', ')}. Empty: all.`)
  .meta({ examples: ['cpu,memory'] });

/** The largest that the services' messages hold: in the year 2106. */
const MOST_SECONDS = 4_294_967_295;
const secondsSchema = z.coerce.number().int().min(1).max(MOST_SECONDS);

const spanFields = {
  from: secondsSchema
    .optional()
    .describe('Start of the span, in seconds since 1970. A day before `to` if not given.')
    .meta({ examples: [1_769_760_000] }),
  to: secondsSchema
    .optional()
    .describe('End of the span, which is not in it. Now if not given.')
    .meta({ examples: [1_769_846_400] }),
};

export const deviceMetricsQuery = z.object({ ...spanFields, series: seriesSchema });
export type DeviceMetricsQuery = z.output<typeof deviceMetricsQuery>;

export const deviceEventsQuery = z.object(spanFields);
export type DeviceEventsQuery = z.output<typeof deviceEventsQuery>;

export const sparklinesQuery = z.object({
  ids: z
    .string(`expected 1 to ${MOST_DEVICES} ids of devices with commas`)
    .transform(listOf)
    .pipe(z.array(idSchema).min(1).max(MOST_DEVICES))
    .describe(`Ids of 1 to ${MOST_DEVICES} devices, with commas.`),
  series: seriesSchema,
});
export type SparklinesQuery = z.output<typeof sparklinesQuery>;

const valuesSchema = z.array(z.number().nullable());

const seriesFields = {
  name: z.enum(NAMES),
  unit: z.enum(['percent', 'load', 'bytes', 'celsius', 'bytes_per_second', 'milliseconds', 'share']),
  instance: z.string().nullable().describe('Where a disk is mounted, or the name of an interface; else null.'),
  total: z.int().nullable().describe('Size of the memory or disk at the end of the span; null for other metrics.'),
  values: valuesSchema.describe('The average from each time on, up to the next; null where nothing was measured.'),
  max: valuesSchema.nullable().describe('The largest value; null for metrics without.'),
  min: valuesSchema.nullable().describe('The smallest value; null for metrics without.'),
};
const oneSeriesSchema = z.object(seriesFields).meta({ id: 'MetricSeries' });
export type SeriesJson = z.output<typeof oneSeriesSchema>;

const timesSchema = z
  .array(z.int())
  .describe('Seconds since 1970, `step` apart. Each series has a value for each of them.');

const EXAMPLE = {
  name: 'temperature' as const,
  unit: 'celsius' as const,
  instance: null,
  total: null,
  values: [48.5, null, 51],
  max: [52, null, 53],
  min: [47, null, 49],
};
const TIMES = { step: 300, times: [1_769_760_000, 1_769_760_300, 1_769_760_600] };

/** The history of one device. */
export const deviceMetricsSchema = z
  .object({
    from: z.int(),
    to: z.int(),
    step: z.int().describe('Seconds: 60, 300, 3600, or a multiple.'),
    times: timesSchema,
    series: z.array(oneSeriesSchema),
  })
  .meta({
    id: 'DeviceMetrics',
    examples: [{ from: 1_769_760_000, to: 1_769_760_900, ...TIMES, series: [EXAMPLE] }],
  });

/** The last day of several devices. */
export const sparklinesSchema = z
  .object({
    step: z.int(),
    times: timesSchema,
    devices: z
      .array(z.object({ id: idSchema, series: z.array(oneSeriesSchema) }))
      .describe('In no order, without those that you may not see or that have not measured anything.'),
  })
  .meta({
    id: 'Sparklines',
    examples: [{ ...TIMES, devices: [{ id: '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f', series: [EXAMPLE] }] }],
  });

const EVENT_KINDS = [
  'boot',
  'link_up',
  'link_down',
  'update',
  'bulk_job',
  'enrolled',
  'renamed',
  'moved',
  'hardware_replaced',
  'changed',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** What happened to a device, for marks in charts. */
export const deviceEventsSchema = z
  .object({
    events: z
      .array(
        z.object({
          time: z.int().describe('Seconds since 1970.'),
          kind: z.enum(EVENT_KINDS).describe('A later version may add kinds.'),
          text: z.string().describe('For people, in English.'),
        }),
      )
      .describe('Oldest first: boots of 13 months, and what else happened in the last 31 days.'),
  })
  .meta({
    id: 'DeviceEvents',
    examples: [{ events: [{ time: 1_769_760_012, kind: 'update', text: 'Updated to version 0.2.0' }] }],
  });
