import { Select } from '@mantine/core';
import type { Device } from '../lib/api/types.ts';
import { deviceActions } from '../lib/messages/device-actions.ts';

const text = deviceActions.address;

export const LOOPBACK = '127.0.0.1';

interface ServerAddressProps {
  device: Device;
  /** The present address. */
  chosen: string;
  value: string;
  onChange: (address: string) => void;
}

/** Chooses the address of a server on a device; renders nothing if the device has only its loopback address. */
export function ServerAddress({ device, chosen, value, onChange }: ServerAddressProps) {
  const addresses = [...new Set([LOOPBACK, device.private_ip, chosen])].filter((address) => address !== '');
  if (addresses.length < 2) return null;
  return (
    <Select
      label={text.label}
      description={text.note}
      allowDeselect={false}
      data={addresses.map((address) => ({
        value: address,
        label: address === LOOPBACK ? text.loopback(address) : address,
      }))}
      value={value}
      onChange={(address) => onChange(address ?? LOOPBACK)}
    />
  );
}
