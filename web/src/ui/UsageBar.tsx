import { Progress, Text } from '@mantine/core';
import { percent as shown } from '../lib/format.ts';
import classes from './UsageBar.module.css';

interface UsageBarProps {
  label: string;
  /** 0 to 100. */
  percent: number;
  /** The absolute figures, such as '3.1 GiB of 7.6 GiB'. */
  detail?: string;
}

const HIGH = 75;
const FULL = 90;

/** Shows usage as a bar with its figures. */
export function UsageBar({ label, percent, detail }: UsageBarProps) {
  const color = percent >= FULL ? 'var(--state-bad)' : percent >= HIGH ? 'var(--state-warn)' : 'var(--accent)';
  return (
    <div>
      <div className={classes.head}>
        <Text size="sm">{label}</Text>
        <span className="mono">{shown(percent)}</span>
      </div>
      <Progress value={percent} color={color} size={6} radius="xl" aria-label={label} className={classes.bar} />
      {detail ? (
        <Text size="xs" c="dimmed" className="mono" fz={12}>
          {detail}
        </Text>
      ) : null}
    </div>
  );
}
