import { ActionIcon, Tooltip } from '@mantine/core';
import { IconChevronsLeft, IconChevronsRight, IconHome, IconServer2, IconSettings } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { Link, NavLink } from 'react-router';
import { ALL, maySee } from '../../lib/access.ts';
import { useClient } from '../../lib/client.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import type { Session } from '../../lib/session.ts';
import { Wordmark } from '../../ui/Wordmark.tsx';
import classes from './Sidebar.module.css';

interface Entry {
  label: string;
  to: string;
  icon: Icon;
  /** Other addresses that belong to this entry. */
  also?: string;
  shown: boolean;
}

/** Where the devices of the chosen account are listed. */
export function devicesPath(session: Session, client: string): string {
  if (!session.operator) return `/devices/${session.account}`;
  return client === ALL ? '/devices' : `/devices/${client}`;
}

function entries(session: Session, client: string): Entry[] {
  return [
    { label: messages.nav.home, to: '/', icon: IconHome, shown: true },
    { label: messages.nav.devices, to: devicesPath(session, client), icon: IconServer2, also: '/device', shown: true },
    { label: messages.nav.settings, to: '/settings', icon: IconSettings, shown: maySee(session, 'settings') },
  ];
}

interface SidebarProps {
  expanded: boolean;
  onToggle: () => void;
  onNavigate: () => void;
}

export function Sidebar({ expanded, onToggle, onNavigate }: SidebarProps) {
  const session = useSession();
  const [client] = useClient();
  const toggle = expanded ? messages.nav.collapse : messages.nav.expand;
  const Chevrons = expanded ? IconChevronsLeft : IconChevronsRight;
  return (
    <div className={classes.root} data-expanded={expanded || undefined}>
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
      <Tooltip label={toggle} position="right" disabled={expanded}>
        <ActionIcon
          className={classes.toggle!}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={toggle}
          aria-expanded={expanded}
          onClick={onToggle}
        >
          <Chevrons size={18} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

interface SidebarLinkProps {
  entry: Entry;
  expanded: boolean;
  onNavigate: () => void;
}

function SidebarLink({ entry, expanded, onNavigate }: SidebarLinkProps) {
  const { label, to, icon: Icon, also } = entry;
  const here = window.location.pathname;
  const inside = also !== undefined && here.startsWith(also);
  return (
    <Tooltip label={label} position="right" disabled={expanded}>
      <NavLink
        to={to}
        end={to === '/'}
        className={({ isActive }) => `${classes.link} ${isActive || inside ? classes.active : ''}`}
        onClick={onNavigate}
      >
        <Icon size={18} stroke={1.7} aria-hidden />
        <span className={classes.label}>{label}</span>
      </NavLink>
    </Tooltip>
  );
}
