import type { ReactNode } from 'react';
import { ModalFrame } from './ModalFrame.tsx';
import type { DialogControl } from './useDialog.ts';

interface DialogProps<T> {
  control: DialogControl<T>;
  title: string;
  /** For content that does not begin with a field or button. */
  focusTitle?: boolean;
  /** Created again each time it opens, so that its fields start empty. */
  children: (subject: T) => ReactNode;
}

/** A modal for a short decision. */
export function Dialog<T>({ control, title, focusTitle = false, children }: DialogProps<T>) {
  return (
    <ModalFrame opened={control.opened} onClose={control.close} title={title} focusTitle={focusTitle} size={480}>
      {control.subject === null ? null : children(control.subject)}
    </ModalFrame>
  );
}
