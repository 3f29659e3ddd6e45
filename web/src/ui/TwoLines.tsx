import type { ReactNode } from 'react';
import classes from './TwoLines.module.css';

/** A name with a secondary line below, after an optional picture. */
export function TwoLines({ lead, name, note }: { lead?: ReactNode; name: ReactNode; note: ReactNode }) {
  return (
    <span className={classes.root}>
      {lead}
      <span className={classes.words}>
        <span className={classes.name}>{name}</span>
        <span className={classes.note}>{note}</span>
      </span>
    </span>
  );
}
