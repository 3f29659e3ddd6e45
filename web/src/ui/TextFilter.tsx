import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';

const PAUSE_MS = 400;
const MOST = 200;

interface TextFilterProps {
  label: string;
  placeholder: string;
  className: string | undefined;
  value: string;
  onChange: (value: string) => void;
}

/** A text that a list is filtered by, debounced. */
export function TextFilter({ label, placeholder, className, value, onChange }: TextFilterProps) {
  const [typed, setTyped] = useState(value);
  const later = useDebouncedCallback((text: string) => onChange(text.trim()), PAUSE_MS);
  useEffect(() => {
    setTyped((now) => (now.trim() === value ? now : value));
  }, [value]);
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      className={className}
      maxLength={MOST}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        later(event.currentTarget.value);
      }}
    />
  );
}
