import { messages } from '../lib/messages.ts';
import { Mark } from './Mark.tsx';
import classes from './Wordmark.module.css';

/** The mark and the name; only the mark if there is no space. */
export function Wordmark({ compact = false, size = 22 }: { compact?: boolean; size?: number }) {
  return (
    <span className={classes.root}>
      <Mark size={size} className={classes.mark} />
      {compact ? null : (
        <span className={classes.name} style={{ fontSize: size * 0.82 }}>
          {messages.product}
        </span>
      )}
    </span>
  );
}
