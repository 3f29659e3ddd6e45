import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { api } from '../lib/api/api.ts';
import type { Device } from '../lib/api/types.ts';
import { nameOf } from '../lib/device-access.ts';
import { SEARCH_MINIMUM } from '../lib/list-state.ts';

const LIMIT = 50;
const DELAY_MS = 250;

interface DevicePickerProps {
  label: string;
  /** Shown if no device matches. */
  none: string;
  accountId: string;
  /** Whether a device is offered. */
  offers: (device: Device) => boolean;
  value: Device | null;
  onChange: (device: Device | null) => void;
}

/** Chooses a device of an account, connected ones first. The hub searches, as there may be more than a list can show. */
export function DevicePicker({ label, none, accountId, offers, value, onChange }: DevicePickerProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), DELAY_MS);
  const { data } = api.useListDevicesQuery({
    account: accountId,
    sort: 'status' as const,
    page: 1,
    limit: LIMIT,
    ...(search.length >= SEARCH_MINIMUM ? { search } : {}),
  });
  const devices = (data?.devices ?? []).filter(offers);
  if (value && !devices.some(({ id }) => id === value.id)) devices.unshift(value);
  return (
    <Select
      data-autofocus
      required
      searchable
      openOnFocus={false}
      label={label}
      nothingFoundMessage={none}
      data={devices.map((device) => ({ value: device.id, label: `${nameOf(device)} (${device.serial})` }))}
      filter={({ options: all }) => all}
      value={value?.id ?? null}
      onChange={(id) => onChange(devices.find((device) => device.id === id) ?? null)}
      // Not `onSearchChange`, which also reports the label of the chosen device and would hide all others.
      onInput={(event) => setTyped(event.currentTarget.value)}
      onDropdownClose={() => setTyped('')}
    />
  );
}
