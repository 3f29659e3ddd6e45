import { ActionIcon, CloseButton } from '@mantine/core';
import {
  IconBuilding,
  IconChevronsLeft,
  IconChevronsRight,
  IconHome,
  IconRefresh,
  IconServer2,
  IconSettings,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { ALL, maySee } from '../../lib/access.ts';
import type { Screen } from '../../lib/access.ts';
import { devicesPath, groupsPath, useClient, usersPath } from '../../lib/client.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import type { Session } from '../../lib/session.ts';
import { hint } from '../../ui/hint.ts';
import { Wordmark } from '../../ui/Wordmark.tsx';
import classes from './Sidebar.module.css';

interface Entry {
  label: string;
  to: string;
  icon: Icon;
  /** Beginning of all addresses that belong to this entry; without it, only `to` does. */
  under?: string;
  shown: boolean;
}

function entries(session: Session, client: string): Entry[] {
  const may = (screen: Screen) => maySee(session, screen);
  const one = !session.operator || client !== ALL;
  return [
    { label: messages.nav.home, to: '/', icon: IconHome, shown: true },
    { label: messages.nav.accounts, to: '/accounts', icon: IconBuilding, under: '/accounts', shown: may('accounts') },
    { label: messages.nav.devices, to: devicesPath(session, client), icon: IconServer2, under: '/device', shown: true },
    {
      label: messages.nav.users,
      to: usersPath(session, client),
      icon: IconUsers,
      under: '/users',
      shown: may(one ? 'users' : 'allUsers'),
    },
    {
      label: messages.nav.groups,
      to: groupsPath(session, client),
      icon: IconUsersGroup,
      under: '/group',
      shown: may('groups'),
    },
    { label: messages.nav.updates, to: '/updates', icon: IconRefresh, shown: may('updates') },
    { label: messages.nav.settings, to: '/settings', icon: IconSettings, shown: may('settings') },
  ];
}

interface SidebarProps {
  expanded: boolean;
  onToggle: () => void;
  /** Somebody went somewhere, or closed the drawer of a narrow window. */
  onNavigate: () => void;
}

export function Sidebar({ expanded, onToggle, onNavigate }: SidebarProps) {
  const session = useSession();
  const [client] = useClient();
  const toggle = expanded ? messages.nav.collapse : messages.nav.expand;
  const Chevrons = expanded ? IconChevronsLeft : IconChevronsRight;
  return (
    <div className={classes.root} data-expanded={expanded || undefined}>
      <CloseButton
        className={classes.close}
        hiddenFrom="sm"
        size="lg"
        aria-label={messages.nav.close}
        onClick={onNavigate}
      />
      <Link to="/" className={classes.brand} aria-label={messages.product} onClick={onNavigate}>
        <Wordmark compact={!expanded} />
      </Link>
      <nav aria-label={messages.nav.main} className={classes.links}>
        {entries(session, client)
          .filter((entry) => entry.shown)
          .map((entry) => (
            <SidebarLink key={entry.label} entry={entry} expanded={expanded} onNavigate={onNavigate} />
          ))}
      </nav>
      <ActionIcon
        {...hint(expanded ? undefined : toggle, 'right', classes.toggle)}
        visibleFrom="sm"
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={toggle}
        aria-expanded={expanded}
        onClick={onToggle}
      >
        <Chevrons size={18} />
      </ActionIcon>
    </div>
  );
}

interface SidebarLinkProps {
  entry: Entry;
  expanded: boolean;
  onNavigate: () => void;
}

function SidebarLink({ entry, expanded, onNavigate }: SidebarLinkProps) {
  const { label, to, icon: Icon, under } = entry;
  const { pathname } = useLocation();
  const here = under ? pathname.startsWith(under) : pathname === to;
  return (
    <Link
      to={to}
      {...hint(expanded ? undefined : label, 'right', classes.link)}
      data-here={here || undefined}
      aria-current={pathname === to ? 'page' : undefined}
      onClick={onNavigate}
    >
      <Icon size={18} stroke={1.7} aria-hidden />
      <span className={classes.label}>{label}</span>
    </Link>
  );
}
