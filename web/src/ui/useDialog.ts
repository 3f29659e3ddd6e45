import { useState } from 'react';

export interface DialogControl<T> {
  opened: boolean;
  /** Subject of the dialog; kept after closing, while it fades. */
  subject: T | null;
  open: (subject: T) => void;
  close: () => void;
}

/** Holds the state of a dialog about an object: a row, a group, a person. */
export function useDialog<T>(): DialogControl<T> {
  const [opened, setOpened] = useState(false);
  const [subject, setSubject] = useState<T | null>(null);
  return {
    opened,
    subject,
    open: (next) => {
      setSubject(next);
      setOpened(true);
    },
    close: () => setOpened(false),
  };
}
