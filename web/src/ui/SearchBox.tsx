import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { LIMITS } from '@warren/rules/limits';
import { useEffect, useRef, useState } from 'react';
import { SEARCH_MINIMUM } from '../lib/list-state.ts';
import { messages } from '../lib/messages.ts';

const PAUSE_MS = 250;

interface SearchBoxProps {
  label: string;
  value: string;
  onSearch: (text: string) => void;
}

/** A search field, debounced. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const asked = useRef(value);
  const ask = (next: string) => {
    asked.current = next;
    onSearch(next);
  };
  const later = useDebouncedCallback(ask, PAUSE_MS);
  useEffect(() => {
    // The URL was changed from outside, such as by the back button.
    if (value !== asked.current) {
      asked.current = value;
      setText(value);
    }
  }, [value]);
  const clear = () => {
    setText('');
    ask('');
  };
  const short = text.trim().length > 0 && text.trim().length < SEARCH_MINIMUM;
  return (
    <TextInput
      type="search"
      role="searchbox"
      aria-label={label}
      placeholder={label}
      title={short ? messages.common.searchHint : undefined}
      maxLength={LIMITS.searchMax}
      value={text}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text === '' ? null : <CloseButton size="sm" aria-label={messages.common.clearSearch} onClick={clear} />
      }
      w={{ base: '100%', xs: 280 }}
      onChange={(event) => {
        setText(event.currentTarget.value);
        later(event.currentTarget.value);
      }}
    />
  );
}
