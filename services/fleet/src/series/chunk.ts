import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { ChunkSchema, ColumnSchema, type Column as StoredColumn } from '@warren/proto/fleet/v1/chunks';
import { kindOf, type Metrics } from './metrics.ts';
import type { Column, Series } from './series.ts';

/** Stands for a value that is not there. */
const NONE = -(2 ** 31);
/** Bound of stored values, so that a difference of two fits into 32 bits with its sign, and is not {@link NONE}. */
const BOUND = 2 ** 30 - 1;

/** Encodes the points of a span. @param step seconds; all times are multiples of it */
export function encodeChunk({ times, counts, columns }: Series, start: number, step: number): Buffer {
  let before = start;
  const chunk = create(ChunkSchema, {
    times: times.map((time) => {
      const difference = (time - before) / step;
      before = time;
      return difference;
    }),
    counts: counts.every((count) => count === 1) ? [] : counts,
    columns: columns.map(encodeColumn),
  });
  return Buffer.from(toBinary(ChunkSchema, chunk));
}

/** Decodes what {@link encodeChunk} made; leaves out metrics of a newer version. @param metrics those to read; all if not given */
export function decodeChunk(data: Uint8Array, start: number, step: number, metrics?: Metrics): Series {
  const { times: differences, counts, columns } = fromBinary(ChunkSchema, data);
  let time = start;
  const times = differences.map((difference) => (time += difference * step));
  return {
    times,
    counts: counts.length > 0 ? counts : times.map(() => 1),
    columns: columns.flatMap((column) => (metrics?.has(column.metric) === false ? [] : (decodeColumn(column) ?? []))),
  };
}

function encodeColumn({ metric, instance, total, average, max, min }: Column): StoredColumn {
  const unit = kindOf(metric)?.unit ?? 1;
  const encode = (values: readonly number[]) => differencesOf(values, unit);
  return create(ColumnSchema, {
    metric,
    instance,
    total,
    average: encode(average),
    max: encode(max),
    min: encode(min),
  });
}

function decodeColumn({ metric, instance, total, average, max, min }: StoredColumn): Column | undefined {
  const unit = kindOf(metric)?.unit;
  if (unit === undefined) return undefined;
  const decode = (values: readonly number[]) => valuesOf(values, unit);
  return { metric, instance, total, average: decode(average), max: decode(max), min: decode(min) };
}

function differencesOf(values: readonly number[], unit: number): number[] {
  let before = 0;
  return values.map((value) => {
    if (Number.isNaN(value)) return NONE;
    const whole = Math.max(-BOUND, Math.min(BOUND, Math.round(value / unit)));
    const difference = whole - before;
    before = whole;
    return difference;
  });
}

function valuesOf(differences: readonly number[], unit: number): number[] {
  let whole = 0;
  return differences.map((difference) => {
    if (difference === NONE) return Number.NaN;
    whole += difference;
    // Tenths and hundredths come back as they are written: 0.3, not 0.30000000000000004.
    return unit < 1 ? whole / Math.round(1 / unit) : whole * unit;
  });
}
