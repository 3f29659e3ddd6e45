import { Burger, Text } from '@mantine/core';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { AccountSelect } from './AccountSelect.tsx';
import { UserMenu } from './UserMenu.tsx';
import classes from './TopBar.module.css';

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
        {session.operator ? <AccountSelect /> : null}
        <UserMenu />
      </div>
    </div>
  );
}
