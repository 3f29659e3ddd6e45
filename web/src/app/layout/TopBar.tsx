import { Burger, Skeleton, Text } from '@mantine/core';
import { Suspense } from 'react';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { part } from '../../ui/part.tsx';
import { PaletteButton } from '../palette/PaletteButton.tsx';
import { UserMenu } from './UserMenu.tsx';
import classes from './TopBar.module.css';

// Only operator users choose among accounts, and the list with its search is large.
const AccountSelect = part(async () => (await import('./AccountSelect.tsx')).AccountSelect);

interface TopBarProps {
  /** The page's name. */
  name: string;
  menuOpen: boolean;
  onMenu: () => void;
}

export function TopBar({ name, menuOpen, onMenu }: TopBarProps) {
  const session = useSession();
  return (
    <div className={classes.root}>
      <Burger hiddenFrom="sm" size="sm" opened={menuOpen} onClick={onMenu} aria-label={messages.nav.open} />
      <Text fw={600} truncate className={classes.name}>
        {name}
      </Text>
      <div className={classes.right}>
        <PaletteButton />
        {session.operator ? (
          <Suspense fallback={<Skeleton h={36} w={{ base: 132, xs: 200 }} radius="sm" />}>
            <AccountSelect />
          </Suspense>
        ) : null}
        <UserMenu />
      </div>
    </div>
  );
}
