import { IconAlertOctagon, IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import type { Alert } from '../lib/api/types.ts';
import { shared as text } from '../lib/messages/shared.ts';
import classes from './Severity.module.css';

export type SeverityName = Alert['severity'];
export const SEVERITIES: readonly SeverityName[] = ['critical', 'warning', 'info'];

const icons: Record<SeverityName, Icon> = {
  critical: IconAlertOctagon,
  warning: IconAlertTriangle,
  info: IconInfoCircle,
};

/** How bad something is: a shape, a colour and a word. On a phone the word may be left to those who listen. */
export function Severity({ value, mayShrink = false }: { value: SeverityName; mayShrink?: boolean }) {
  const Shape = icons[value];
  return (
    <span className={classes.root} data-severity={value} data-shrinks={mayShrink || undefined}>
      <Shape size={18} stroke={1.8} aria-hidden className={classes.shape} />
      <span className={classes.word}>{text.severities[value]}</span>
    </span>
  );
}
