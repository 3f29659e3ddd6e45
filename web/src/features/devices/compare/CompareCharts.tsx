import { Skeleton } from '@mantine/core';
import { historyApi } from '../../../lib/api/history.ts';
import type { Device } from '../../../lib/api/types.ts';
import { compare as text } from '../../../lib/messages/compare.ts';
import { devicePage } from '../../../lib/messages/device-page.ts';
import { Chart } from '../../../ui/charts/Chart.tsx';
import { Failure } from '../../../ui/Failure.tsx';
import { RangeBar } from '../page/RangeBar.tsx';
import { useRange } from '../page/useRange.ts';
import { comparedCharts, namesOf } from './compared.ts';
import classes from './ComparePage.module.css';

/** The history of two devices, each metric on one axis. */
export function CompareCharts({ one, other }: { one: Device; other: Device }) {
  const control = useRange();
  const { from, to } = control.range;
  const first = historyApi.useGetDeviceMetricsQuery({ id: one.id, from, to });
  const second = historyApi.useGetDeviceMetricsQuery({ id: other.id, from, to });
  const compared =
    first.data && second.data ? comparedCharts([first.data, second.data], namesOf(one, other)) : undefined;
  const error = (first.currentData ? undefined : first.error) ?? (second.currentData ? undefined : second.error);
  const retry = () => {
    void first.refetch();
    void second.refetch();
  };
  return (
    <section aria-label={text.charts} className={classes.charts}>
      <RangeBar control={control} />
      {error ? (
        <Failure title={devicePage.metricsFailed} error={error} retry={retry} />
      ) : !compared ? (
        <Skeleton height={220} radius="md" />
      ) : compared.charts.length === 0 ? (
        <p className={classes.count}>{text.noCharts}</p>
      ) : (
        <div className={classes.grid}>
          {compared.charts.map((chart) => (
            <Chart
              key={chart.title}
              {...chart}
              times={compared.times}
              from={from}
              to={to}
              group={`${one.id} ${other.id}`}
              marks={[]}
              onZoom={control.zoom}
              onReset={control.zoomOut}
            />
          ))}
        </div>
      )}
    </section>
  );
}
