import { Progress, Skeleton, Text } from '@mantine/core';
import { messages } from '../../lib/messages.ts';
import { share } from '../../lib/format.ts';
import { Presence } from '../../ui/Presence.tsx';
import { Trend } from './Trend.tsx';
import classes from './HomePage.module.css';

const text = messages.home;

export interface DeviceCounts {
  total: number;
  connected: number;
}

/** Connected devices of all. */
export function Counts({ devices, account }: { devices: DeviceCounts | undefined; account: string | undefined }) {
  return (
    <section className={classes.card} aria-label={text.devices}>
      <h2 className={classes.cardHead}>{text.devices}</h2>
      <div className={classes.counts} style={{ minHeight: 132 }}>
        {devices ? <Figures {...devices} /> : <Skeleton height={96} />}
        <Trend account={account} />
      </div>
    </section>
  );
}

function Figures({ total, connected }: DeviceCounts) {
  const portion = share(connected, total);
  return (
    <>
      <div className={classes.figures}>
        <span className={classes.figure}>{connected}</span>
        <Text c="dimmed">{text.ofTotal(total)}</Text>
      </div>
      <Progress
        value={portion}
        size={6}
        radius="xl"
        color="var(--state-good)"
        aria-label={text.share(Math.round(portion))}
      />
      <div className={classes.split}>
        <Presence device={{ status: 'Connected' }} />
        <span className={classes.count}>{connected}</span>
        <Presence device={{ status: 'Disconnected' }} />
        <span className={classes.count}>{total - connected}</span>
      </div>
    </>
  );
}
