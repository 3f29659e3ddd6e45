import { useDebouncedCallback } from '@mantine/hooks';
import type { KnownValues } from '@warren/rules/filter/complete';
import { parseReferring } from '@warren/rules/filter/parse';
import { useEffect, useRef, useState } from 'react';
import { fleet } from '../../lib/messages/fleet.ts';
import classes from './FilterBox.module.css';
import { FilterInput } from './FilterInput.tsx';

const APPLY_MS = 250;

interface FilterBoxProps {
  label: string;
  value: string;
  known: KnownValues;
  /** Is called with texts that can be parsed only. */
  onFilter: (text: string) => void;
  onFocus?: () => void;
}

/** The filter of a list, applied as it is typed. */
export function FilterBox({ label, value, known, onFilter, onFocus }: FilterBoxProps) {
  const { text, setText, apply } = useTypedFilter(value, onFilter);
  return (
    <FilterInput
      field={{
        'aria-label': label,
        'data-page-search': true,
        placeholder: fleet.filter.placeholder,
        className: classes.box,
        onFocus,
      }}
      text={text}
      known={known}
      inPage
      onText={setText}
      onApply={apply}
    />
  );
}

/** The text as it is typed; applied after a pause, once it can be parsed. */
function useTypedFilter(value: string, onFilter: (text: string) => void) {
  const [text, setText] = useState(value);
  const asked = useRef(value);
  const apply = (next: string) => {
    const trimmed = next.trim();
    if (trimmed === asked.current || !parseReferring(trimmed).ok) return;
    asked.current = trimmed;
    onFilter(trimmed);
  };
  const later = useDebouncedCallback(apply, APPLY_MS);
  useEffect(() => {
    // Something else than this field changed the address, such as the back button or a chip.
    if (value !== asked.current) {
      later.cancel();
      asked.current = value;
      setText(value);
    }
  }, [value]);
  const type = (next: string) => {
    setText(next);
    later(next);
  };
  return { text, setText: type, apply };
}
