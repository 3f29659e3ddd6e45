import { SegmentedControl, Skeleton, Text } from '@mantine/core';
import { useSearchParams } from 'react-router';
import type { DeviceTrend } from '../../lib/api/generated/history.ts';
import { historyApi } from '../../lib/api/history.ts';
import { history as text } from '../../lib/messages/history.ts';
import { roundTop, stepPath } from '../../lib/trend.ts';
import classes from './Trend.module.css';

const SIZE = { width: 288, height: 64 };
const HOUR_MS = 3_600_000;

const HOURS = [24, 168] as const;

/** The number of connected devices over the last day or week, with its scale. */
export function Trend({ account }: { account: string | undefined }) {
  const [hours, choose] = useHours();
  const { currentData } = historyApi.useGetDeviceTrendQuery({ hours, ...(account ? { account } : {}) });
  return (
    <div className={classes.root}>
      <div className={classes.head}>
        <h3 className={classes.title}>{text.trend}</h3>
        <SegmentedControl
          size="xs"
          aria-label={text.trendRange}
          data={HOURS.map((each) => ({ value: String(each), label: text.trendHours[each] }))}
          value={String(hours)}
          onChange={choose}
        />
      </div>
      {currentData ? (
        <Chart trend={currentData} span={text.trendHours[hours]} />
      ) : (
        <Skeleton height={SIZE.height + 18} />
      )}
    </div>
  );
}

/** The range in the address. */
function useHours(): [(typeof HOURS)[number], (hours: string) => void] {
  const [query, setQuery] = useSearchParams();
  const hours = HOURS.find((each) => String(each) === query.get('hours')) ?? HOURS[0];
  const choose = (chosen: string) =>
    setQuery(
      (old) => {
        const next = new URLSearchParams(old);
        if (chosen === String(HOURS[0])) next.delete('hours');
        else next.set('hours', chosen);
        return next;
      },
      { replace: true },
    );
  return [hours, choose];
}

function Chart({ trend: { counts, hours }, span }: { trend: DeviceTrend; span: string }) {
  const samples = counts.map(({ at, connected }) => ({ at: Date.parse(at), value: connected }));
  const last = counts.at(-1);
  const to = samples.at(-1)?.at ?? 0;
  const top = roundTop(Math.max(...counts.map(({ total }) => total)));
  const line = stepPath(samples, to - hours * HOUR_MS, to, top, SIZE);
  if (!line || !last)
    return (
      <Text size="xs" c="dimmed">
        {text.trendShort}
      </Text>
    );
  const values = samples.map(({ value }) => value);
  const bounds = { least: Math.min(...values), most: Math.max(...values) };
  const label = text.trendLabel(span, bounds, last.connected, last.total);
  const start = line.slice(1, line.indexOf(' '));
  return (
    <figure className={classes.figure} role="img" aria-label={label}>
      <div className={classes.scale}>
        <span>{top}</span>
        <span>0</span>
      </div>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
        preserveAspectRatio="none"
        aria-hidden
      >
        <path className={classes.area} d={`${line}V${SIZE.height}H${start}Z`} />
        <path className={classes.line} d={line} vectorEffect="non-scaling-stroke" />
      </svg>
      <div className={classes.times}>
        <span>{text.hoursAgo(hours)}</span>
        <span>{text.hoursAgo(hours / 2)}</span>
        <span>{text.now}</span>
      </div>
    </figure>
  );
}
