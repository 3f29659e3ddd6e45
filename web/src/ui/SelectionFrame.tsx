import { CloseButton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { fleet } from '../lib/messages/fleet.ts';
import classes from './SelectionFrame.module.css';

interface SelectionFrameProps {
  label: string;
  /** How much is selected, in words. */
  selected: string;
  /** Beside these words. */
  more?: ReactNode;
  onClear: () => void;
  /** What can be done with it. */
  children: ReactNode;
}

/** The bar of a list that says what is selected, and what can be done with it. */
export function SelectionFrame({ label, selected, more, onClear, children }: SelectionFrameProps) {
  return (
    <section className={classes.bar} aria-label={label} data-selection-bar>
      <Text size="sm" fw={600} role="status">
        {selected}
      </Text>
      {more}
      <span className={classes.gap} />
      {children}
      <CloseButton
        size="sm"
        className={classes.close}
        aria-label={fleet.selection.clear}
        title={fleet.selection.clear}
        onClick={onClear}
      />
    </section>
  );
}
