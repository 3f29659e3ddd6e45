import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconBuilding } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { ALL } from '../../lib/access.ts';
import { api } from '../../lib/api/api.ts';
import { statusOf } from '../../lib/api/errors.ts';
import { peopleApi } from '../../lib/api/people.ts';
import { devicesPath, groupsPath, useClient, usersPath } from '../../lib/client.ts';
import { SEARCH_MINIMUM } from '../../lib/list-state.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { useAccountName } from '../../lib/useAccountName.ts';

const LIMIT = 50;
/** Screens that show one account or all of them, and say which in their address. */
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

/** An account that was deleted since it was chosen would keep every list empty. */
function useForgetting(client: string, select: (account: string) => void) {
  const { error } = peopleApi.useGetAccountQuery({ id: client }, { skip: client === ALL });
  const deleted = statusOf(error) === 404;
  useEffect(() => {
    if (deleted) select(ALL);
  }, [deleted]);
}

/** Which account an operator user looks at. The lists' address says so too, and what the address says is remembered. */
export function AccountSelect() {
  const session = useSession();
  const [client, select] = useClient();
  const { account_id: inAddress } = useParams();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search, 250);
  const accounts = useAccounts(asked);
  const name = useAccountName(client);
  useForgetting(client, select);
  useEffect(() => {
    const addressed = inAddress ?? (pathname in lists ? ALL : undefined);
    if (addressed !== undefined && addressed !== client) select(addressed);
  }, [inAddress, pathname]);

  const options = accounts.map((account) => ({ value: account.id, label: account.name }));
  if (client !== ALL && !accounts.some(({ id }) => id === client)) options.unshift({ value: client, label: name });
  const choose = (id: string | null) => {
    const account = id ?? ALL;
    select(account);
    const path = Object.entries(lists).find(([list]) => pathname.startsWith(list))?.[1];
    if (path) void navigate(path(session, account));
  };
  return (
    <Select
      aria-label={messages.client.label}
      w={{ base: 132, xs: 200 }}
      size="sm"
      searchable
      allowDeselect={false}
      checkIconPosition="right"
      leftSection={<IconBuilding size={16} aria-hidden />}
      nothingFoundMessage={messages.client.none}
      data={[{ value: ALL, label: messages.client.all }, ...options]}
      filter={({ options: all }) => all}
      value={client}
      onChange={choose}
      // What is typed, not `onSearchChange`: that also tells the name of the chosen account, which would hide all others.
      onInput={(event) => setSearch(event.currentTarget.value)}
      onDropdownClose={() => setSearch('')}
      comboboxProps={{ width: 260, position: 'bottom-end' }}
    />
  );
}
