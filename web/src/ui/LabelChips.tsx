import { UnstyledButton } from '@mantine/core';
import { fleet } from '../lib/messages/fleet.ts';
import classes from './LabelChips.module.css';

interface LabelChipsProps {
  labels: Readonly<Record<string, string>>;
  /** Maximum number of shown labels; the others are counted. */
  most?: number;
  /** A click on a label filters by it. */
  onFilter?: ((term: string) => void) | undefined;
}

export const labelText = (key: string, value: string): string => (value === '' ? key : `${key}=${value}`);

/** Returns the filter term that matches devices with this label. */
function termOf(key: string, value: string): string {
  return value === '' ? `label:${key}` : `${key}=${value}`;
}

/** Shows labels in the order of their keys. */
export function LabelChips({ labels, most = Infinity, onFilter }: LabelChipsProps) {
  const all = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  const hidden = all.slice(most);
  return (
    <span className={classes.root}>
      {all.slice(0, most).map(([key, value]) =>
        onFilter ? (
          <UnstyledButton
            key={key}
            className={classes.chip}
            title={fleet.filter.add(termOf(key, value))}
            onClick={() => onFilter(termOf(key, value))}
          >
            {labelText(key, value)}
          </UnstyledButton>
        ) : (
          <span key={key} className={classes.chip}>
            {labelText(key, value)}
          </span>
        ),
      )}
      {hidden.length > 0 ? (
        <span className={classes.more} title={hidden.map(([key, value]) => labelText(key, value)).join(', ')}>
          {fleet.labels.more(hidden.length)}
        </span>
      ) : null}
    </span>
  );
}
