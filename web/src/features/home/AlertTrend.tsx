import { alertsApi } from '../../lib/api/alerts.ts';
import { alertTrend as text } from '../../lib/messages/alert-trend.ts';
import { history } from '../../lib/messages/history.ts';
import { Failure } from '../../ui/Failure.tsx';
import classes from './Trend.module.css';
import { TrendChart, Waiting, type Hours } from './TrendChart.tsx';

/** The number of open alerts over time, and of critical ones among them. */
export function AlertTrend({ account, hours }: { account: string | undefined; hours: Hours }) {
  const query = { hours: Number(hours), ...(account ? { account } : {}) };
  const { currentData, error, refetch } = alertsApi.useGetAlertTrendQuery(query);
  if (error && !currentData) return <Failure title={history.failed} error={error} retry={refetch} />;
  if (!currentData) return <Waiting />;
  const all = currentData.counts.map(({ at, critical, warning, info }) => ({
    at: Date.parse(at),
    value: critical + warning + info,
  }));
  const critical = currentData.counts.map((one) => ({ at: Date.parse(one.at), value: one.critical }));
  const values = all.map(({ value }) => value);
  const bounds = { least: Math.min(...values), most: Math.max(...values) };
  const label = text.label(history.trendHours[hours], bounds, values.at(-1) ?? 0, critical.at(-1)?.value ?? 0);
  return (
    <>
      <TrendChart samples={all} most={bounds.most} hours={currentData.hours} label={label} part={critical} />
      <p className={classes.legend} aria-hidden>
        <span className={classes.keyOfAll} /> {text.all}
        <span className={classes.keyOfPart} /> {text.critical}
      </p>
    </>
  );
}
