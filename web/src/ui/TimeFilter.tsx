import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { times as text } from '../lib/messages/times.ts';
import { RANGES, type TimeRange } from '../lib/time-range.ts';
import classes from './TimeFilter.module.css';

const ANY = 'any';
const CUSTOM = 'custom';

interface TimeFilterProps {
  value: TimeRange;
  onChange: (change: Partial<Record<keyof TimeRange, string | null>>) => void;
}

/** A span of time up to now, or between two times in the reader's time zone. */
export function TimeFilter({ value: { range, from, to }, onChange }: TimeFilterProps) {
  const [custom, setCustom] = useState(false);
  const isCustom = !range && (custom || from !== null || to !== null);
  const choose = (chosen: string | null) => {
    setCustom(chosen === CUSTOM);
    onChange({ range: Object.hasOwn(RANGES, chosen ?? '') ? chosen : null, from: null, to: null });
  };
  return (
    <>
      <Select
        aria-label={text.time}
        className={classes.choice}
        data={[ANY, ...Object.keys(RANGES), CUSTOM].map((value) => ({
          value,
          label: text.times[value as keyof typeof text.times],
        }))}
        value={isCustom ? CUSTOM : (range ?? ANY)}
        allowDeselect={false}
        checkIconPosition="right"
        onChange={choose}
      />
      {isCustom ? (
        <>
          <Moment label={text.from} value={from} onChange={(time) => onChange({ from: time })} />
          <Moment label={text.to} value={to} onChange={(time) => onChange({ to: time })} />
        </>
      ) : null}
    </>
  );
}

interface MomentProps {
  label: string;
  value: string | null;
  onChange: (time: string | null) => void;
}

/** Applies when it is left, or with Enter: while a year is typed, every digit makes a valid time. */
function Moment({ label, value, onChange }: MomentProps) {
  const apply = (typed: string) => {
    const at = Date.parse(typed);
    onChange(Number.isNaN(at) ? null : new Date(at).toISOString());
  };
  return (
    <TextInput
      key={value}
      type="datetime-local"
      aria-label={label}
      title={label}
      className={classes.moment}
      defaultValue={value ? localText(value) : ''}
      onBlur={(event) => apply(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply(event.currentTarget.value);
      }}
    />
  );
}

/** An ISO time in the reader's time zone, as the input takes it: `2026-03-04T15:12`. */
function localText(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
