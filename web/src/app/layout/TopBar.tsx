import { Burger, Text } from '@mantine/core';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { PaletteButton } from '../palette/PaletteButton.tsx';
import { AlertBell } from './AlertBell.tsx';
import { AccountSelect } from './AccountSelect.tsx';
import { UserMenu } from './UserMenu.tsx';
import classes from './TopBar.module.css';

interface TopBarProps {
  /** The page's name, shown while its heading is out of view. */
  name: string;
  /** The page has no heading of this name. */
  always: boolean;
  menuOpen: boolean;
  onMenu: () => void;
}

export function TopBar({ name, always, menuOpen, onMenu }: TopBarProps) {
  const session = useSession();
  return (
    <div className={classes.root}>
      <Burger hiddenFrom="sm" size="sm" opened={menuOpen} onClick={onMenu} aria-label={messages.nav.open} />
      <Text fw={600} truncate className={classes.name} data-always={always || undefined}>
        {name}
      </Text>
      <div className={classes.right}>
        <PaletteButton />
        <AlertBell />
        {session.operator ? <AccountSelect /> : null}
        <UserMenu />
      </div>
    </div>
  );
}
