import { Skeleton, Text } from '@mantine/core';
import { history as text } from '../../lib/messages/history.ts';
import { roundTop, stepPath, type Sample } from '../../lib/trend.ts';
import classes from './Trend.module.css';

export const HOURS = ['24', '168'] as const;
export type Hours = (typeof HOURS)[number];

const SIZE = { width: 288, height: 64 };
const HOUR_MS = 3_600_000;

export const Waiting = () => <Skeleton height={SIZE.height + 18} />;

interface TrendChartProps {
  /** Oldest first; the last one is the present number. */
  samples: Sample[];
  /** What the scale has room for. */
  most: number;
  hours: number;
  label: string;
  /** In the colour of what is bad, with a part of it as a second line. */
  part?: Sample[];
}

/** Numbers over the last hours, with their scale. */
export function TrendChart({ samples, most, hours, label, part }: TrendChartProps) {
  const to = samples.at(-1)?.at ?? 0;
  const top = roundTop(most);
  const lineOf = (of: Sample[]) => stepPath(of, to - hours * HOUR_MS, to, top, SIZE);
  const line = lineOf(samples);
  if (!line)
    return (
      <Text size="xs" c="dimmed">
        {text.trendShort}
      </Text>
    );
  const start = line.slice(1, line.indexOf(' '));
  return (
    <figure className={classes.figure} role="img" aria-label={label} data-bad={part ? true : undefined}>
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
        {part ? <path className={classes.part} d={lineOf(part)} vectorEffect="non-scaling-stroke" /> : null}
      </svg>
      <div className={classes.times}>
        <span>{text.hoursAgo(hours)}</span>
        <span>{text.hoursAgo(hours / 2)}</span>
        <span>{text.now}</span>
      </div>
    </figure>
  );
}
