import { Button, SegmentedControl, Skeleton } from '@mantine/core';
import { alertsApi } from '../../../lib/api/alerts.ts';
import { historyApi } from '../../../lib/api/history.ts';
import { time } from '../../../lib/format.ts';
import { devicePage as text } from '../../../lib/messages/device-page.ts';
import { Chart } from '../../../ui/charts/Chart.tsx';
import { Empty } from '../../../ui/Empty.tsx';
import { Failure } from '../../../ui/Failure.tsx';
import classes from './DeviceOverviewPage.module.css';
import { chartsOf } from './metric-charts.ts';
import { RANGES, useRange, type RangeName } from './useRange.ts';

const MOST_EVENTS = 20;
const MOST_ALERTS = 100;

/** The history of a device's usage, with what happened to it on the same axis. */
export function MetricCharts({ id }: { id: string }) {
  const { range, choose, zoom, zoomOut } = useRange();
  const { from, to } = range;
  const { data, currentData, error, refetch } = historyApi.useGetDeviceMetricsQuery({ id, from, to });
  const { data: happened } = historyApi.useListDeviceEventsQuery({ id, from, to });
  const { data: opened } = alertsApi.useListAlertsQuery({ device: id, limit: MOST_ALERTS });
  const events = happened?.events ?? [];
  const marks = [
    ...events.map((event) => event.time),
    ...(opened?.alerts ?? []).map(({ openedAt }) => Math.floor(Date.parse(openedAt) / 1_000)),
  ];
  const charts = data ? chartsOf(data) : [];
  return (
    <section aria-label={text.charts}>
      <div className={classes.bar}>
        <SegmentedControl
          size="xs"
          aria-label={text.range}
          data={Object.keys(RANGES).map((value) => ({ value, label: text.ranges[value as RangeName] }))}
          value={range.name ?? ''}
          onChange={(value) => choose(value as RangeName)}
        />
        {range.name === undefined ? (
          <Button size="compact-sm" variant="subtle" onClick={zoomOut}>
            {text.zoomOut}
          </Button>
        ) : null}
      </div>
      {error && !currentData ? (
        <Failure title={text.metricsFailed} error={error} retry={refetch} />
      ) : !data ? (
        <Skeleton height={220} radius="md" />
      ) : charts.length === 0 ? (
        <Empty title={text.none} text={text.noneHint} />
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
              onZoom={zoom}
            />
          ))}
        </div>
      )}
      <h2 className={classes.title}>{text.events}</h2>
      {events.length === 0 ? (
        <p className={classes.quiet}>{text.noEvents}</p>
      ) : (
        <ul className={classes.events}>
          {events
            .slice(-MOST_EVENTS)
            .reverse()
            .map((event) => (
              <li key={`${event.time}-${event.kind}-${event.text}`}>
                <time dateTime={new Date(event.time * 1_000).toISOString()}>
                  {time(new Date(event.time * 1_000).toISOString())}
                </time>{' '}
                {event.text}
              </li>
            ))}
        </ul>
      )}
    </section>
  );
}
