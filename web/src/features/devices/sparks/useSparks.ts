import { useMemo } from 'react';
import { sparklinesApi } from '../../../lib/api/generated/sparklines.ts';
import type { Device } from '../../../lib/api/types.ts';
import type { DeviceColumn } from '../column-ids.ts';
import { isSpark, SPARKS, sparkValues, type SparkColumn, type SparkValues } from './spark-values.ts';

/** Points stand for half an hour; the last one changes. */
const RENEW_MS = 300_000;

/** The last day of a device; undefined while it is loading, null if nothing was measured. */
export type Sparks = (id: string, column: SparkColumn) => SparkValues | null | undefined;

/** Reads the last day of all devices of a page at once, if columns that show it are chosen. */
export function useSparks(rows: readonly Device[] | undefined, columns: readonly DeviceColumn[]): Sparks {
  const wanted = columns.filter(isSpark);
  // In the order of ids, so that another order of the same devices is the same question.
  const ids = (rows ?? []).map(({ id }) => id).sort();
  const { data, error } = sparklinesApi.useGetSparklinesQuery(
    { ids: ids.join(), series: wanted.map((column) => SPARKS[column]).join() },
    { skip: ids.length === 0 || wanted.length === 0, pollingInterval: RENEW_MS, skipPollingIfUnfocused: true },
  );
  const series = useMemo(() => new Map(data?.devices.map((device) => [device.id, device.series])), [data]);
  return (id, column) => {
    const own = series.get(id);
    if (own) return sparkValues(column, own) ?? null;
    return data || error ? null : undefined;
  };
}
