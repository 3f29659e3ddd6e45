import { maySee } from '../../lib/access.ts';
import { api } from '../../lib/api/api.ts';
import type { Device } from '../../lib/api/types.ts';
import { isConsoleOpen, nameOf } from '../../lib/device-access.ts';
import { SEARCH_MINIMUM } from '../../lib/list-state.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import type { Session } from '../../lib/session.ts';
import { places } from '../places.ts';

/** A destination. */
interface Finding {
  id: string;
  label: string;
  note?: string;
  to: string;
}

export interface Findings {
  kind: 'pages' | 'accounts' | 'users' | 'groups' | 'devices' | 'actions';
  label: string;
  found: Finding[];
}

const LIMIT = 5;

const profile = { label: messages.user.editProfile, to: '/profile' };

const pages = (session: Session, client: string): Finding[] =>
  [...places(session, client), profile].map(({ to, label }) => ({ id: to, label, to }));

/** The first few hits of each kind, and the pages whose name contains the text. */
export function useFindings(text: string, client: string): { findings: Findings[]; busy: boolean } {
  const session = useSession();
  const search = text.trim();
  const short = search.length < SEARCH_MINIMUM;
  const query = { page: 1, limit: LIMIT, search };
  const accounts = api.useListAccountsQuery(query, { skip: short || !maySee(session, 'accounts') });
  const people = { ...query, account: session.operator ? 'ALL' : session.account };
  const users = api.useListUsersQuery(people, { skip: short || !maySee(session, 'users') });
  const groups = api.useListGroupsQuery(people, { skip: short || !maySee(session, 'groups') });
  const devices = api.useListDevicesQuery(session.operator ? query : { ...query, account: session.account }, {
    skip: short,
  });
  const named = pages(session, client).filter((page) => page.label.toLowerCase().includes(search.toLowerCase()));
  const shown = devices.currentData?.devices ?? [];
  const findings: Findings[] = [
    { kind: 'pages', label: messages.palette.pages, found: named },
    {
      kind: 'accounts',
      label: messages.nav.accounts,
      found: (accounts.currentData?.accounts ?? []).map((one) => ({
        id: one.id,
        label: one.name,
        to: `/accounts/${one.id}`,
      })),
    },
    {
      kind: 'users',
      label: messages.nav.users,
      found: (users.currentData?.users ?? []).map((one) => ({
        id: one.id,
        label: one.name || one.email,
        note: session.operator ? `${one.email} · ${one.account_name}` : one.email,
        to: `/users/${one.account}/${one.id}`,
      })),
    },
    {
      kind: 'groups',
      label: messages.nav.groups,
      found: (groups.currentData?.groups ?? []).map((one) => ({
        id: one.id,
        label: one.name,
        note: one.account_name,
        to: `/groups/${one.account_id}/${one.id}`,
      })),
    },
    {
      kind: 'devices',
      label: messages.nav.devices,
      found: shown.map((one) => ({
        id: one.id,
        label: one.custom_name || one.name,
        note: session.operator ? `${one.status} · ${one.account.name}` : one.status,
        to: `/devices/${one.account.id}?device=${one.id}`,
      })),
    },
    { kind: 'actions', label: messages.palette.actions, found: consoles(shown, session) },
  ];
  const busy = [accounts, users, groups, devices].some((one) => one.isFetching);
  return { findings: findings.filter((one) => one.found.length > 0), busy };
}

/** Consoles of the devices that have one. */
function consoles(devices: readonly Device[], session: Session): Finding[] {
  return devices.filter(isConsoleOpen).map((one) => ({
    id: one.id,
    label: messages.devices.openConsole(nameOf(one)),
    ...(session.operator && { note: one.account.name }),
    to: `/device/ssh/${one.id}`,
  }));
}
