import type { DeviceMetrics, MetricSeries } from '../../../lib/api/types.ts';
import { bytes, percent, share } from '../../../lib/format.ts';
import { devicePage as text } from '../../../lib/messages/device-page.ts';
import { decimal } from '../../../lib/numbers.ts';
import type { ChartProps, ChartSeries } from '../../../ui/charts/Chart.tsx';

export type MetricChart = Pick<ChartProps, 'title' | 'unit' | 'series' | 'format'> & { scale?: [number, number] };

const PERCENT: [number, number] = [0, 100];

/** The charts of a device's history, those without any value left out. @param kept titles of charts that stay without one */
export function chartsOf({ series }: Pick<DeviceMetrics, 'series'>, kept: readonly string[] = []): MetricChart[] {
  const of = (name: MetricSeries['name']) => series.filter((one) => one.name === name);
  const charts: MetricChart[] = [
    {
      title: text.titles.cpu,
      unit: text.units.percent,
      series: withHighest(of('cpu')),
      format: percent,
      scale: PERCENT,
    },
    {
      title: text.titles.memory,
      unit: text.units.percent,
      series: of('memory').map(asShare),
      format: percent,
      scale: PERCENT,
    },
    {
      title: text.titles.disk,
      unit: text.units.percent,
      series: of('disk').map(asShare),
      format: percent,
      scale: PERCENT,
    },
    {
      title: text.titles.temperature,
      unit: text.units.celsius,
      series: withHighest(of('temperature')),
      format: (value) => `${decimal(value)} °C`,
    },
    {
      title: text.titles.network,
      unit: text.units.bytes_per_second,
      series: [
        ...of('network_rx').map((one) => named(one, text.received(one.instance ?? ''))),
        ...of('network_tx').map((one) => named(one, text.sent(one.instance ?? ''))),
      ],
      format: (value) => `${bytes(value)}/s`,
    },
    { title: text.titles.load, unit: text.units.load, series: withHighest(of('load')), format: decimal },
    {
      title: text.titles.round_trip,
      unit: text.units.milliseconds,
      series: withHighest(of('round_trip')),
      format: (value) => `${decimal(value)} ms`,
    },
  ];
  return charts.filter(
    (chart) => kept.includes(chart.title) || chart.series.some(({ values }) => values.some((value) => value !== null)),
  );
}

/** The average, and the highest value where points stand for more than a sample. */
function withHighest(series: MetricSeries[]): ChartSeries[] {
  return series.flatMap(({ values, max }) => [
    { name: text.average, values },
    ...(max && max.some((value, index) => value !== values[index])
      ? [{ name: text.highest, values: max, isExtreme: true }]
      : []),
  ]);
}

function asShare({ values, total, instance }: MetricSeries): ChartSeries {
  return {
    name: instance ?? text.average,
    values: values.map((value) => (value === null || !total ? null : share(value, total))),
  };
}

function named({ values }: MetricSeries, name: string): ChartSeries {
  return { name, values };
}
