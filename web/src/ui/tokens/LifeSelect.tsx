import { Select } from '@mantine/core';
import { tokens as text } from '../../lib/messages/tokens.ts';

interface LifeSelectProps {
  choices: readonly number[];
  days: number;
  onChange: (days: number) => void;
}

/** Chooses how long a new token lasts. */
export function LifeSelect({ choices, days, onChange }: LifeSelectProps) {
  return (
    <Select
      label={text.days}
      data={choices.map((value) => ({ value: String(value), label: text.dayCount(value) }))}
      value={String(days)}
      allowDeselect={false}
      onChange={(value) => onChange(Number(value))}
    />
  );
}
