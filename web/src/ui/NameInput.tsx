import { TextInput } from '@mantine/core';
import { NAME_CHARACTERS, NAME_MAX } from '@warren/rules/names';
import { useState } from 'react';
import { messages } from '../lib/messages.ts';

interface NameInputProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

/** Edits the name of an account or group: accepts letters, digits and spaces, and says so on another key. */
export function NameInput({ label, value, onChange, error }: NameInputProps) {
  const [refused, setRefused] = useState(false);
  const change = (next: string) => {
    const allowed = NAME_CHARACTERS.test(next);
    setRefused(!allowed);
    onChange(allowed ? next : [...next].filter((character) => NAME_CHARACTERS.test(character)).join(''));
  };
  return (
    <TextInput
      data-autofocus
      required
      label={label}
      maxLength={NAME_MAX}
      autoComplete="off"
      value={value}
      error={refused ? messages.forms.invalidCharacter : error}
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={() => setRefused(false)}
    />
  );
}
