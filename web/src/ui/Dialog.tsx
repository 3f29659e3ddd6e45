import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DialogControl } from './useDialog.ts';

interface DialogProps<T> {
  control: DialogControl<T>;
  title: string;
  /** Made anew each time it opens, so that nothing of the last time is left in its fields. */
  children: (subject: T) => ReactNode;
}

/** A modal for a short decision about one thing. */
export function Dialog<T>({ control, title, children }: DialogProps<T>) {
  return (
    <Modal opened={control.opened} onClose={control.close} title={title} size={480}>
      {control.subject === null ? null : children(control.subject)}
    </Modal>
  );
}
