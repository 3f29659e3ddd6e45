import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Splash.module.css';

/** Centres its content in the window. */
export function Splash({ title, text, children }: { title?: string; text?: ReactNode; children?: ReactNode }) {
  return (
    <main className={classes.root}>
      <div className={classes.body}>
        {title ? (
          <Title order={1} fz={20}>
            {title}
          </Title>
        ) : null}
        {text ? <Text c="dimmed">{text}</Text> : null}
        {children}
      </div>
    </main>
  );
}
