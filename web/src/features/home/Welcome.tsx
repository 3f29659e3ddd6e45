import { Button, Text } from '@mantine/core';
import { IconPlugConnected, IconTerminal2, IconWorld } from '@tabler/icons-react';
import { Link } from 'react-router';
import { home } from '../../lib/messages/home.ts';
import { welcome as text } from '../../lib/messages/welcome.ts';
import { Empty } from '../../ui/Empty.tsx';
import classes from './HomePage.module.css';

const icons = [IconPlugConnected, IconTerminal2, IconWorld];

/** Home without devices. */
export function Welcome({ to }: { to: string }) {
  return (
    <>
      <div className={classes.card}>
        <Empty
          title={text.title}
          text={text.text}
          action={
            <Button component={Link} to={to} variant="default">
              {home.viewDevices}
            </Button>
          }
        />
      </div>
      <div className={classes.features}>
        {text.features.map((feature, index) => {
          const Icon = icons[index] ?? IconWorld;
          return (
            <section key={feature.title} className={`${classes.card} ${classes.feature}`}>
              <Icon size={24} stroke={1.6} aria-hidden />
              <Text fw={600}>{feature.title}</Text>
              <Text c="dimmed">{feature.text}</Text>
            </section>
          );
        })}
      </div>
    </>
  );
}
