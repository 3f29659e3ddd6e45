import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { part } from '../../ui/part.tsx';
import { Person } from '../../ui/Person.tsx';
import classes from './UserMenu.module.css';

const load = async () => (await import('./UserMenuItems.tsx')).UserMenuItems;
const UserMenuItems = part(load);
// A failed load shows when the menu is opened.
const preload = () => void load().catch(() => undefined);

/** The signed-in person and their actions; the menu itself is loaded on hover or focus. */
export function UserMenu() {
  const session = useSession();
  const [wanted, setWanted] = useState(false);
  const name = session.name || session.email;
  const button = (
    <UnstyledButton
      className={classes.target}
      aria-haspopup="menu"
      onPointerEnter={preload}
      onFocus={preload}
      {...(wanted ? {} : { onClick: () => setWanted(true) })}
    >
      <VisuallyHidden>{`${messages.user.menu}: ${name}`}</VisuallyHidden>
      <span aria-hidden className={classes.shown}>
        <Person name={name} picture={session.picture} />
        <span className={classes.words}>
          <span className={classes.name}>{name}</span>
          <span className={classes.role}>{session.group?.role}</span>
        </span>
        <IconChevronDown size={14} className={classes.chevron} />
      </span>
    </UnstyledButton>
  );
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <UserMenuItems>{button}</UserMenuItems>
    </Suspense>
  );
}
