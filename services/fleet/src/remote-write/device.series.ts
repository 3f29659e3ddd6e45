import type { MessageInitShape } from '@bufbuild/protobuf';
import { Metric, type Sample } from '@warren/proto/fleet/v1/metrics';
import type { RemoteSeriesSchema } from '@warren/proto/fleet/v1/remote_write';
import { seriesOf } from '../series/samples.ts';
import type { InstanceNames } from './instance.names.ts';

export type SeriesInit = MessageInitShape<typeof RemoteSeriesSchema>;

/** How a metric is named for Prometheus, in its base units. */
interface Named {
  name: string;
  /** From the unit of the metric to the base unit. */
  factor?: number;
  /** The name of the size of what is used. */
  total?: string;
  /** The label with the instance. */
  label?: string;
}

/** Before each name. */
const PREFIX = 'warren_device_';
/** Users have dashboards with these names: none changes. */
const NAMES: Readonly<Record<Exclude<Metric, Metric.UNSPECIFIED>, Named>> = {
  [Metric.CPU]: { name: 'cpu_ratio', factor: 0.01 },
  [Metric.LOAD]: { name: 'load1' },
  [Metric.MEMORY]: { name: 'memory_used_bytes', total: 'memory_size_bytes' },
  [Metric.TEMPERATURE]: { name: 'temperature_celsius' },
  [Metric.DISK]: { name: 'disk_used_bytes', total: 'disk_size_bytes', label: 'mount' },
  [Metric.NETWORK_RX]: { name: 'network_receive_bytes_per_second', label: 'interface' },
  [Metric.NETWORK_TX]: { name: 'network_transmit_bytes_per_second', label: 'interface' },
  [Metric.ROUND_TRIP]: { name: 'round_trip_seconds', factor: 0.001 },
  [Metric.THROTTLED]: { name: 'throttled' },
};

/** The labels of every series of a device, without those that are empty. */
export interface DeviceLabels {
  hub: string;
  account: string;
  account_id: string;
  device: string;
  device_id: string;
}

/**
 * Makes the series of a device's samples.
 * @param samples of one device, in any order
 * @param names which of its mount points and interfaces have series
 */
export function deviceSeries(device: DeviceLabels, samples: readonly Sample[], names: InstanceNames): SeriesInit[] {
  const { times, columns } = seriesOf(samples);
  const at = times.map((time) => BigInt(time) * 1_000n);
  return columns.flatMap(({ metric, instance, average, total }) => {
    const named = (NAMES as Partial<Record<Metric, Named>>)[metric];
    if (!named) return [];
    if (named.label !== undefined && !names.admit(device.device_id, named.label, instance)) return [];
    const { factor = 1 } = named;
    const labelsOf = (name: string) =>
      sortedLabels({ __name__: PREFIX + name, ...device, ...labelOf(named, instance) });
    const values = average.flatMap((value, place) =>
      Number.isNaN(value) ? [] : [{ value: value * factor, timestamp: at[place] ?? 0n }],
    );
    const own = { labels: labelsOf(named.name), samples: values };
    if (named.total === undefined || total === 0) return [own];
    // At each time, so that the ratio of both has no gaps.
    const sizes = values.map(({ timestamp }) => ({ value: total, timestamp }));
    return [own, { labels: labelsOf(named.total), samples: sizes }];
  });
}

const labelOf = ({ label }: Named, instance: string) => (label === undefined ? {} : { [label]: instance });

/** By name, as remote write 1.0 demands; an empty value is the same as no label. */
function sortedLabels(labels: Record<string, string>): { name: string; value: string }[] {
  return Object.entries(labels)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ({ name, value }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}
