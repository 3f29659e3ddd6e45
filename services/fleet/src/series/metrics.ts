import { Metric } from '@warren/proto/fleet/v1/metrics';

/** How values of a metric are stored and summed up. */
interface Kind {
  /** Values are stored as whole multiples of this. */
  unit: number;
  /** Whether coarser steps keep the largest and the smallest value besides the average. */
  max?: boolean;
  min?: boolean;
  /** Whether a device has several, each with a name. */
  named?: boolean;
}

const NETWORK: Kind = { unit: 16, max: true, named: true };

/** Metrics to read. */
export type Metrics = ReadonlySet<Metric>;

/** All metrics. A number in storage keeps its meaning, so a unit never changes. */
const KINDS: Readonly<Record<Exclude<Metric, Metric.UNSPECIFIED>, Kind>> = {
  [Metric.CPU]: { unit: 0.1, max: true },
  [Metric.LOAD]: { unit: 0.01, max: true },
  [Metric.MEMORY]: { unit: 65_536, max: true },
  [Metric.TEMPERATURE]: { unit: 0.1, max: true, min: true },
  [Metric.DISK]: { unit: 1_048_576, named: true },
  [Metric.NETWORK_RX]: NETWORK,
  [Metric.NETWORK_TX]: NETWORK,
  [Metric.ROUND_TRIP]: { unit: 0.1, max: true, min: true },
  [Metric.THROTTLED]: { unit: 0.001 },
};

/** The kind of a metric; undefined for one of a newer version. */
export function kindOf(metric: Metric): Kind | undefined {
  return (KINDS as Partial<Record<Metric, Kind>>)[metric];
}
