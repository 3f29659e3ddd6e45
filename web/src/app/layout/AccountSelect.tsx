import { ComboboxChevron, Input } from '@mantine/core';
import { startTransition, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation, useParams, useSearchParams } from 'react-router';
import { ALL } from '../../lib/access.ts';
import { isRefusal } from '../../lib/api/errors.ts';
import { peopleApi } from '../../lib/api/people.ts';
import { hasAccountInQuery, useClient } from '../../lib/client.ts';
import { messages } from '../../lib/messages.ts';
import { useAccountName } from '../../lib/useAccountName.ts';
import { part } from '../../ui/part.tsx';
import { ACCOUNT_FIELD } from './account-field.tsx';

const load = async () => (await import('./AccountOptions.tsx')).AccountOptions;
const AccountOptions = part(load);
// A failed load shows when the list is opened.
const preload = () => void load().catch(() => undefined);

/** Lists of all accounts; any other address without an account keeps the choice. */
const LISTS = ['/devices', '/users', '/groups'];

/** Whether the hub has refused an account: it is deleted, out of reach, or does not exist. */
function useRefused(account: string): boolean | undefined {
  const { currentData, error } = peopleApi.useGetAccountQuery({ id: account }, { skip: account === ALL });
  if (account === ALL || currentData) return false;
  return isRefusal(error) || undefined;
}

/** Remembers the account in the address once the hub knows it, and forgets a chosen one that the hub refuses. */
function useAddressed(client: string, select: (account: string) => void) {
  const { account_id: inAddress } = useParams();
  const { pathname } = useLocation();
  const [query] = useSearchParams();
  const addressed = hasAccountInQuery(pathname)
    ? (query.get('account') ?? ALL)
    : (inAddress ?? (LISTS.includes(pathname) ? ALL : undefined));
  const refused = useRefused(addressed ?? client);
  const stale = useRefused(client);
  useEffect(() => {
    if (addressed !== undefined && addressed !== client && refused === false) select(addressed);
  }, [addressed, pathname, refused]);
  useEffect(() => {
    if (stale) select(ALL);
  }, [stale]);
}

/**
 * The account that an operator user looks at. The lists' address contains it too, and that choice is remembered. The list of
 * accounts is loaded when the field gets the focus.
 */
export function AccountSelect() {
  const [client, select] = useClient();
  const [wanted, setWanted] = useState(false);
  const focused = useRef(false);
  const name = useAccountName(client);
  useAddressed(client, select);
  const open = () => {
    focused.current = true;
    // The closed field stays until the list is loaded.
    startTransition(() => setWanted(true));
  };
  return (
    <Suspense>
      {wanted ? (
        <AccountOptions focused={focused} />
      ) : (
        <Input
          {...ACCOUNT_FIELD}
          role="combobox"
          aria-haspopup="listbox"
          aria-expanded={false}
          readOnly
          value={client === ALL ? messages.client.all : name}
          rightSection={<ComboboxChevron size="sm" />}
          rightSectionPointerEvents="none"
          onPointerEnter={preload}
          onFocus={open}
          onBlur={() => (focused.current = false)}
        />
      )}
    </Suspense>
  );
}
