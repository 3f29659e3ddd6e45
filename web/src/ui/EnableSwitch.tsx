import { Switch } from '@mantine/core';
import { failed } from '../lib/toast.ts';

interface EnableSwitchProps {
  label: string;
  enabled: boolean;
  disabled: boolean;
  /** Rejects if it was not changed. */
  change: (enabled: boolean) => Promise<unknown>;
}

/** Turns a row of a table on or off at once. */
export function EnableSwitch({ label, enabled, disabled, change }: EnableSwitchProps) {
  return (
    <Switch
      size="sm"
      aria-label={label}
      checked={enabled}
      disabled={disabled}
      onChange={(event) => void change(event.currentTarget.checked).catch((error: unknown) => failed(error))}
    />
  );
}
