import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { ALL } from '../../lib/access.ts';
import { api } from '../../lib/api/api.ts';
import { alertsPath, devicesPath, groupsPath, hasAccountInQuery, useClient, usersPath } from '../../lib/client.ts';
import { SEARCH_MINIMUM } from '../../lib/list-state.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { useAccountName } from '../../lib/useAccountName.ts';
import { ACCOUNT_FIELD } from './account-field.tsx';

const LIMIT = 50;
/** Screens whose address names the account that they show. */
const lists = { '/devices': devicesPath, '/users': usersPath, '/groups': groupsPath };

/** The accounts of the hub, searched by the hub: there may be more than a list can show. */
function useAccounts(search: string) {
  const text = search.trim();
  const { data } = api.useListAccountsQuery({
    page: 1,
    limit: LIMIT,
    ...(text.length >= SEARCH_MINIMUM ? { search: text } : {}),
  });
  return data?.accounts ?? [];
}

/** The list of accounts under its field; takes the focus over from the closed field that it replaces. */
export function AccountOptions({ focused }: { focused: RefObject<boolean> }) {
  const session = useSession();
  const [client, select] = useClient();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search, 250);
  const accounts = useAccounts(asked);
  const name = useAccountName(client);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (focused.current) field.current?.focus();
  }, [focused]);

  const options = accounts.map((account) => ({ value: account.id, label: account.name }));
  if (client !== ALL && !accounts.some(({ id }) => id === client)) options.unshift({ value: client, label: name });
  const choose = (id: string | null) => {
    const account = id ?? ALL;
    select(account);
    if (hasAccountInQuery(pathname)) return void navigate(alertsPath(session, account, pathname));
    const path = Object.entries(lists).find(([list]) => pathname.startsWith(list))?.[1];
    if (path) void navigate(path(session, account));
  };
  return (
    <Select
      {...ACCOUNT_FIELD}
      ref={field}
      searchable
      allowDeselect={false}
      checkIconPosition="right"
      nothingFoundMessage={messages.client.none}
      data={[{ value: ALL, label: messages.client.all }, ...options]}
      filter={({ options: all }) => all}
      value={client}
      onChange={choose}
      // What is typed, not `onSearchChange`: that also tells the name of the chosen account, which would hide all others.
      onInput={(event) => setSearch(event.currentTarget.value)}
      onDropdownClose={() => setSearch('')}
      // Inside the landmark of the top bar, as WCAG asks of all content.
      comboboxProps={{ width: 260, position: 'bottom-end', withinPortal: false }}
    />
  );
}
