import { Button, Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { alertsApi } from '../../../lib/api/alerts.ts';
import type { DeviceMetrics } from '../../../lib/api/types.ts';
import { historyApi } from '../../../lib/api/history.ts';
import { time } from '../../../lib/format.ts';
import { devicePage as text } from '../../../lib/messages/device-page.ts';
import { Chart, type ChartMark } from '../../../ui/charts/Chart.tsx';
import { Empty } from '../../../ui/Empty.tsx';
import { Failure } from '../../../ui/Failure.tsx';
import classes from './DeviceOverviewPage.module.css';
import { chartsOf, type MetricChart } from './metric-charts.ts';
import { RangeBar } from './RangeBar.tsx';
import { useRange, type RangeControl } from './useRange.ts';

const MOST_EVENTS = 20;
const MOST_ALERTS = 100;

/** The history of a device's usage, with what happened to it on the same axis. */
export function MetricCharts({ id }: { id: string }) {
  const control = useRange();
  const { from, to } = control.range;
  const { data, currentData, error, refetch } = historyApi.useGetDeviceMetricsQuery({ id, from, to });
  const { data: happened } = historyApi.useListDeviceEventsQuery({ id, from, to });
  const { data: opened } = alertsApi.useListAlertsQuery({ device: id, limit: MOST_ALERTS });
  const events = happened?.events ?? [];
  const alerts = (opened?.alerts ?? []).map(({ openedAt, ruleName }) => ({
    time: Math.floor(Date.parse(openedAt) / 1_000),
    text: text.alert(ruleName),
    isAlert: true,
  }));
  const marks: ChartMark[] = [...events, ...alerts.filter(({ time: at }) => at >= from && at < to)].sort(
    (a, b) => a.time - b.time,
  );
  const charts = useCharts(data, control.range.name === undefined || !currentData);
  return (
    <section aria-label={text.charts}>
      <RangeBar control={control} />
      {error && !currentData ? (
        <Failure title={text.metricsFailed} error={error} retry={refetch} />
      ) : !data ? (
        <Skeleton height={220} radius="md" />
      ) : charts.length === 0 ? (
        <NoSamples control={control} />
      ) : (
        <div className={classes.charts}>
          {charts.map((chart) => (
            <Chart
              key={chart.title}
              {...chart}
              times={data.times}
              from={from}
              to={to}
              group={id}
              marks={marks}
              onZoom={control.zoom}
              onReset={control.zoomOut}
            />
          ))}
        </div>
      )}
      <h2 className={classes.title}>{text.events}</h2>
      {marks.length === 0 ? (
        <p className={classes.quiet}>{text.noEvents}</p>
      ) : (
        <ul className={classes.events}>
          {marks
            .slice(-MOST_EVENTS)
            .reverse()
            .map((mark, place) => (
              <li key={`${mark.time}-${mark.text}-${place}`}>
                <time dateTime={new Date(mark.time * 1_000).toISOString()}>
                  {time(new Date(mark.time * 1_000).toISOString())}
                </time>{' '}
                {mark.text}
              </li>
            ))}
        </ul>
      )}
    </section>
  );
}

function NoSamples({ control: { range, zoomOut } }: { control: RangeControl }) {
  if (range.name !== undefined) return <Empty title={text.noSamples} text={text.noneHint} />;
  const reset = (
    <Button variant="default" onClick={zoomOut}>
      {text.zoomOut}
    </Button>
  );
  return <Empty title={text.noSamples} action={reset} />;
}

/** The charts with values. Zoomed in or loading, those that were shown stay where there are none, so that the keys that lead back keep their focus. */
function useCharts(data: DeviceMetrics | undefined, keepsShown: boolean): MetricChart[] {
  const [shown, setShown] = useState<readonly string[]>([]);
  const charts = data ? chartsOf(data, keepsShown ? shown : []) : [];
  const titles = JSON.stringify(charts.map(({ title }) => title));
  useEffect(() => setShown(JSON.parse(titles) as string[]), [titles]);
  return charts;
}
