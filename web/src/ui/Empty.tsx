import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Mark } from './Mark.tsx';
import classes from './Empty.module.css';

interface EmptyProps {
  title: string;
  text?: string;
  action?: ReactNode;
  /** It fills the page, so its title is the page's heading. */
  whole?: boolean;
}

/** The empty state: its reason, and what to do next. */
export function Empty({ title, text, action, whole = false }: EmptyProps) {
  return (
    <div className={classes.root}>
      <Mark size={40} strokeWidth={1.2} className={classes.mark} />
      <Text fw={600} ta="center" component={whole ? 'h1' : 'p'} m={0}>
        {title}
      </Text>
      {text ? (
        <Text c="dimmed" ta="center" maw={420}>
          {text}
        </Text>
      ) : null}
      {action ? <div className={classes.action}>{action}</div> : null}
    </div>
  );
}
