import { IconCheck, IconClock, IconX } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import classes from './channels.module.css';

export type DeliveryState = 'waiting' | 'delivered' | 'failed';

const icons: Record<DeliveryState, Icon> = { waiting: IconClock, delivered: IconCheck, failed: IconX };

/** What became of a message: a shape, a colour and a word. */
export function StateMark({ state, label }: { state: DeliveryState; label: string }) {
  const Shape = icons[state];
  return (
    <span className={classes.state} data-state={state}>
      <Shape size={16} aria-hidden className={classes.shape} />
      {label}
    </span>
  );
}
