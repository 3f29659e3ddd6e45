import { Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useHeadingInView } from './heading-in-view.ts';
import classes from './Page.module.css';

interface PageProps {
  title: string;
  /** Where the title shall say more than the window's name. */
  heading?: ReactNode;
  trail?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of a screen: breadcrumb, title, actions and content. */
export function Page({ title, heading, trail, actions, children }: PageProps) {
  useDocumentTitle(`${title} · Warren`);
  const head = useHeadingInView();
  return (
    <div className={classes.page}>
      {trail ? <div className={classes.trail}>{trail}</div> : null}
      <div ref={head} className={classes.head}>
        <Title order={1} className={classes.title}>
          {heading ?? title}
        </Title>
        {actions ? <div className={classes.actions}>{actions}</div> : null}
      </div>
      {children}
    </div>
  );
}
