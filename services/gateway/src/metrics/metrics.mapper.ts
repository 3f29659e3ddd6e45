import { timestampMs } from '@bufbuild/protobuf/wkt';
import { ActivityKind, type Activity } from '@warren/proto/devices/v1/devices';
import type { Metric, MetricSeries } from '@warren/proto/fleet/v1/metrics';
import { METRICS, type EventKind, type MetricName, type SeriesJson } from './metrics.schemas.ts';

const NAME_OF = new Map<Metric, MetricName>(
  (Object.keys(METRICS) as MetricName[]).map((name) => [METRICS[name].metric, name]),
);

/** A series for the API; nothing for a metric of a newer version of the fleet service. */
export function seriesJson({ metric, instance, total, average, max, min }: MetricSeries): SeriesJson[] {
  const name = NAME_OF.get(metric);
  if (!name) return [];
  return [
    {
      name,
      unit: METRICS[name].unit,
      instance: instance || null,
      total: total === undefined ? null : Math.round(total),
      values: numbers(average),
      max: max.length > 0 ? numbers(max) : null,
      min: min.length > 0 ? numbers(min) : null,
    },
  ];
}

/** Values of 32 bits without the digits that they don't have. */
const numbers = (values: readonly number[]) =>
  values.map((value) => (Number.isNaN(value) ? null : Number(value.toPrecision(6))));

/** The times of a grid, in seconds since 1970. */
export function timesOf({ start, step, points }: { start: number; step: number; points: number }): number[] {
  return Array.from({ length: points }, (_, at) => start + at * step);
}

export interface EventJson {
  time: number;
  kind: EventKind;
  text: string;
}

/** What a bulk job has done, by its action. */
const BULK_ACTIONS: Readonly<Record<string, string>> = {
  reboot: 'Reboot',
  update: 'Update',
  enable_console: 'Console enabled',
  disable_console: 'Console disabled',
  enable_web: 'Web service enabled',
  disable_web: 'Web service disabled',
};

const EVENTS: Partial<Record<ActivityKind, { kind: EventKind; text: (detail: string) => string }>> = {
  [ActivityKind.ENROLLED]: { kind: 'enrolled', text: () => 'Enrolled' },
  [ActivityKind.CONNECTED]: { kind: 'link_up', text: () => 'Connected' },
  [ActivityKind.DISCONNECTED]: { kind: 'link_down', text: () => 'Disconnected' },
  [ActivityKind.RENAMED]: { kind: 'renamed', text: (detail) => `Renamed to ${detail}` },
  [ActivityKind.MOVED_IN]: { kind: 'moved', text: () => 'Moved here' },
  [ActivityKind.HARDWARE_REPLACED]: { kind: 'hardware_replaced', text: (detail) => `Hardware replaced: ${detail}` },
  [ActivityKind.LABELLED]: { kind: 'changed', text: (detail) => `Labels changed: ${detail}` },
  [ActivityKind.BULK_ACTION]: {
    kind: 'bulk_job',
    text: (action) => `${BULK_ACTIONS[action] ?? 'Changed'} by a bulk job`,
  },
  [ActivityKind.UPDATED]: { kind: 'update', text: (detail) => `Updated to version ${detail}` },
};

/** Activity and boots as one list, oldest first. */
export function eventsJson(activity: readonly Activity[], boots: readonly number[]): EventJson[] {
  const events = activity.map(({ at, kind, detail }): EventJson => {
    const { kind: name, text } = EVENTS[kind] ?? { kind: 'changed', text: () => 'Changed' };
    return { time: at ? Math.floor(timestampMs(at) / 1_000) : 0, kind: name, text: text(detail) };
  });
  const booted = boots.map((time): EventJson => ({ time, kind: 'boot', text: 'Booted' }));
  return [...events, ...booted].sort((a, b) => a.time - b.time);
}
