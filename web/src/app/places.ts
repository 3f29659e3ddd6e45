import { maySee } from '../lib/access.ts';
import type { Screen } from '../lib/access.ts';
import { alertsPath, auditPath, devicesPath, groupsPath, sessionsPath, usersPath } from '../lib/client.ts';
import { messages } from '../lib/messages.ts';
import type { Session } from '../lib/session.ts';

type Name =
  | 'home'
  | 'accounts'
  | 'devices'
  | 'alerts'
  | 'requests'
  | 'users'
  | 'groups'
  | 'updates'
  | 'audit'
  | 'sessions'
  | 'settings';

/** A screen that people find by its name. */
export interface Place {
  name: Name;
  label: string;
  to: string;
  /** Prefix of all addresses that belong to it; without it, only `to` does. */
  under?: string;
}

/** The destinations open to a person, in display order; `client` is the account that an operator user looks at, or ALL. */
export function places(session: Session, client: string): Place[] {
  const may = (screen: Screen) => maySee(session, screen);
  const all: [Place, boolean][] = [
    [place('home', '/'), true],
    [place('accounts', '/accounts', '/accounts'), may('accounts')],
    [place('devices', devicesPath(session, client), '/device'), true],
    [place('alerts', alertsPath(session, client), '/alerts'), true],
    [place('requests', `/requests/${session.account}`, '/requests'), session.access_requests],
    [place('users', usersPath(session, client), '/users'), may('users')],
    [place('groups', groupsPath(session, client), '/group'), may('groups')],
    [place('updates', '/updates', '/updates'), may('updates')],
    [place('audit', auditPath(session, client), '/audit'), may('audit')],
    [place('sessions', sessionsPath(session, client), '/sessions'), may('recordings')],
    [place('settings', '/settings'), may('settings')],
  ];
  return all.filter(([, shown]) => shown).map(([shown]) => shown);
}

const place = (name: Name, to: string, under?: string): Place => ({
  name,
  label: messages.nav[name],
  to,
  ...(under !== undefined && { under }),
});
