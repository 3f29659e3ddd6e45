import type { ReactNode } from 'react';
import classes from './Fields.module.css';

export interface Field {
  label: string;
  value: ReactNode;
  mono?: boolean;
}

/** Shows names and values as a definition list; `stacked` puts each value below its name. */
export function Fields({ fields, stacked = false }: { fields: Field[]; stacked?: boolean }) {
  return (
    <dl className={classes.list} data-stacked={stacked || undefined}>
      {fields.map((field) => (
        <div key={field.label} className={classes.row}>
          <dt className={classes.label}>{field.label}</dt>
          <dd className={`${classes.value} ${field.mono ? 'mono' : ''}`}>{field.value}</dd>
        </div>
      ))}
    </dl>
  );
}
