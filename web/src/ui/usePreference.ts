import { useState } from 'react';
import { recall, remember } from '../lib/storage.ts';

/** A choice kept in this browser; `parse` gives the default for anything that isn't a choice. */
export function usePreference<T>(key: string, parse: (text: string | null) => T): [T, (value: T) => void] {
  const [value, setValue] = useState(() => parse(recall(key)));
  const choose = (next: T) => {
    remember(key, String(next));
    setValue(next);
  };
  return [value, choose];
}
