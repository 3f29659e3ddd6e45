import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { api } from '../lib/api/api.ts';
import { SEARCH_MINIMUM } from '../lib/list-state.ts';
import { messages } from '../lib/messages.ts';

const LIMIT = 50;
const DELAY_MS = 250;

export interface PickedAccount {
  id: string;
  name: string;
}

interface AccountPickerProps {
  label: string;
  /** An account that is not offered. */
  except: string;
  value: PickedAccount | null;
  onChange: (account: PickedAccount | null) => void;
}

/** Chooses an active account. The hub searches, as there may be more than a list can show. */
export function AccountPicker({ label, except, value, onChange }: AccountPickerProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), DELAY_MS);
  const { data } = api.useListAccountsQuery({
    page: 1,
    limit: LIMIT,
    ...(search.length >= SEARCH_MINIMUM ? { search } : {}),
  });
  const accounts = (data?.accounts ?? []).filter((one) => one.id !== except && one.status === 'Active');
  const options = accounts.map((account) => ({ value: account.id, label: account.name }));
  if (value && !accounts.some((one) => one.id === value.id)) options.unshift({ value: value.id, label: value.name });
  const choose = (id: string | null) => {
    const option = options.find((one) => one.value === id);
    onChange(option ? { id: option.value, name: option.label } : null);
  };
  return (
    <Select
      data-autofocus
      required
      searchable
      openOnFocus={false}
      label={label}
      nothingFoundMessage={messages.client.none}
      data={options}
      filter={({ options: all }) => all}
      value={value?.id ?? null}
      onChange={choose}
      // Not `onSearchChange`, which also reports the name of the chosen account and would hide all others.
      onInput={(event) => setTyped(event.currentTarget.value)}
      onDropdownClose={() => setTyped('')}
    />
  );
}
