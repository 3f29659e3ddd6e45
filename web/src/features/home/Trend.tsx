import { SegmentedControl } from '@mantine/core';
import { Suspense } from 'react';
import type { DeviceTrend } from '../../lib/api/types.ts';
import { historyApi } from '../../lib/api/history.ts';
import { history as text } from '../../lib/messages/history.ts';
import { part } from '../../ui/part.tsx';
import classes from './Trend.module.css';
import { HOURS, TrendChart, Waiting, type Hours } from './TrendChart.tsx';
import { useChoice } from './useChoice.ts';

const AlertTrend = part(async () => (await import('./AlertTrend.tsx')).AlertTrend);

const TOPICS = ['connected', 'alerts'] as const;

interface TrendProps {
  account: string | undefined;
  hours: Hours;
}

const SHOWN = { connected: Connected, alerts: AlertTrend };

/** The number of connected devices, or of open alerts, over the last day or week. */
export function Trend({ account }: Pick<TrendProps, 'account'>) {
  const [topic, chooseTopic] = useChoice('trend', TOPICS);
  const [hours, chooseHours] = useChoice('hours', HOURS);
  const Shown = SHOWN[topic];
  return (
    <div className={classes.root}>
      <div className={classes.head}>
        <h3 className={classes.title}>{text.trend}</h3>
        <SegmentedControl
          size="xs"
          aria-label={text.trendTopic}
          data={TOPICS.map((value) => ({ value, label: text.trendTopics[value] }))}
          value={topic}
          onChange={chooseTopic}
        />
        <SegmentedControl
          size="xs"
          aria-label={text.trendRange}
          data={HOURS.map((value) => ({ value, label: text.trendHours[value] }))}
          value={hours}
          onChange={chooseHours}
        />
      </div>
      {/* Keyed, so that the choice shows at once while the other chart loads. */}
      <Suspense key={topic} fallback={<Waiting />}>
        <Shown account={account} hours={hours} />
      </Suspense>
    </div>
  );
}

function Connected({ account, hours }: TrendProps) {
  const query = { hours: Number(hours), ...(account ? { account } : {}) };
  const { currentData } = historyApi.useGetDeviceTrendQuery(query);
  return currentData ? <Counts trend={currentData} span={text.trendHours[hours]} /> : <Waiting />;
}

function Counts({ trend: { counts, hours }, span }: { trend: DeviceTrend; span: string }) {
  const samples = counts.map(({ at, connected }) => ({ at: Date.parse(at), value: connected }));
  const last = counts.at(-1);
  const values = samples.map(({ value }) => value);
  const bounds = { least: Math.min(...values), most: Math.max(...values) };
  const label = text.trendLabel(span, bounds, last?.connected ?? 0, last?.total ?? 0);
  const most = Math.max(...counts.map(({ total }) => total));
  return <TrendChart samples={samples} most={most} hours={hours} label={label} />;
}
