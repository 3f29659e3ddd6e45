import { ActionIcon, CloseButton } from '@mantine/core';
import {
  IconBell,
  IconBuilding,
  IconChevronsLeft,
  IconChevronsRight,
  IconHistory,
  IconHome,
  IconPlayerPlay,
  IconRefresh,
  IconServer2,
  IconSettings,
  IconShieldQuestion,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { Suspense } from 'react';
import { Link, useLocation } from 'react-router';
import { useClient } from '../../lib/client.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { hint } from '../../ui/hint.ts';
import { part } from '../../ui/part.tsx';
import { Wordmark } from '../../ui/Wordmark.tsx';
import { places } from '../places.ts';
import type { Place } from '../places.ts';
import classes from './Sidebar.module.css';

// Only accounts that take access requests need it.
const RequestCount = part(async () => (await import('./RequestCount.tsx')).RequestCount);

const icons: Record<Place['name'], Icon> = {
  home: IconHome,
  accounts: IconBuilding,
  devices: IconServer2,
  alerts: IconBell,
  requests: IconShieldQuestion,
  users: IconUsers,
  groups: IconUsersGroup,
  updates: IconRefresh,
  audit: IconHistory,
  sessions: IconPlayerPlay,
  settings: IconSettings,
};

interface SidebarProps {
  expanded: boolean;
  onToggle: () => void;
  /** Called after a navigation, and when the drawer of a narrow window closes. */
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
        {places(session, client).map((place) => (
          <SidebarLink key={place.name} place={place} expanded={expanded} onNavigate={onNavigate} />
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
  place: Place;
  expanded: boolean;
  onNavigate: () => void;
}

function SidebarLink({ place, expanded, onNavigate }: SidebarLinkProps) {
  const { name, label, to, under } = place;
  const Icon = icons[name];
  const { pathname } = useLocation();
  const here = under ? pathname.startsWith(under) : pathname === to;
  return (
    <Link
      to={to}
      {...hint(expanded ? undefined : label, 'right', classes.link)}
      data-here={here || undefined}
      aria-current={pathname === to.split('?')[0] ? 'page' : undefined}
      onClick={onNavigate}
    >
      <Icon size={18} stroke={1.7} aria-hidden />
      <span className={classes.label}>{label}</span>
      {name === 'requests' ? (
        <Suspense>
          <RequestCount />
        </Suspense>
      ) : null}
    </Link>
  );
}
