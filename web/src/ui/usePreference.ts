import { useState } from 'react';
import { recall, remember } from '../lib/storage.ts';

/** Holds a choice that is stored in this browser; `parse` returns the default for an invalid value. */
export function usePreference<T>(key: string, parse: (text: string | null) => T): [T, (value: T) => void] {
  const [value, setValue] = useState(() => parse(recall(key)));
  const choose = (next: T) => {
    remember(key, String(next));
    setValue(next);
  };
  return [value, choose];
}
