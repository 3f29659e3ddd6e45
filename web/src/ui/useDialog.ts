import { useState } from 'react';

export interface DialogControl<T> {
  opened: boolean;
  /** What the dialog is about; stays after closing, so that nothing changes while it fades. */
  subject: T | null;
  open: (subject: T) => void;
  close: () => void;
}

/** A dialog about one thing: a row, a group, a person. */
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
