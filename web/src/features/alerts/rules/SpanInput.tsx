import { Select } from '@mantine/core';
import { useState } from 'react';
import { alertRules as text } from '../../../lib/messages/alerts.ts';
import { minutesOf, spanOf, UNITS, type Unit } from '../span.ts';
import { WholeNumber } from './WholeNumber.tsx';

interface SpanInputProps {
  minutes: number;
  min?: number;
  onChange: (minutes: number) => void;
}

/** A time: a number and its unit, which stays as it was chosen. */
export function SpanInput({ minutes, min = 1, onChange }: SpanInputProps) {
  const [span, setSpan] = useState(() => spanOf(minutes));
  const change = (next: typeof span) => {
    setSpan(next);
    onChange(minutesOf(next));
  };
  return (
    <>
      <WholeNumber
        label={text.amount}
        min={min}
        value={span.amount}
        onChange={(amount) => change({ ...span, amount })}
      />
      <Select
        aria-label={text.unit}
        w={112}
        data={UNITS.map((value) => ({ value, label: text.units[value] }))}
        value={span.unit}
        allowDeselect={false}
        onChange={(unit) => change({ ...span, unit: unit as Unit })}
      />
    </>
  );
}
