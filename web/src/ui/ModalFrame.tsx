import { Modal } from '@mantine/core';
import { useRef } from 'react';
import type { ReactNode } from 'react';
import { useReturnFocus } from './useReturnFocus.ts';

interface ModalFrameProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  size: number;
  /** Focuses the title, for dialogs that begin with neither a field nor a button. */
  focusTitle?: boolean;
  children: ReactNode;
}

/** A modal that keeps its input on a click outside, and returns the focus to its opener. */
export function ModalFrame({ opened, onClose, title, size, focusTitle = false, children }: ModalFrameProps) {
  const body = useRef<HTMLDivElement>(null);
  useReturnFocus(opened);
  const beside = () => {
    if (!body.current?.querySelector('[data-unsent]')) onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={focusTitle ? <TitleWithFocus title={title} /> : title}
      size={size}
      returnFocus={false}
      closeOnClickOutside={false}
      overlayProps={{ backgroundOpacity: 0.45, onClick: beside }}
    >
      <div ref={body}>{children}</div>
    </Modal>
  );
}

const TitleWithFocus = ({ title }: { title: string }) => (
  <span tabIndex={-1} data-autofocus style={{ outline: 'none' }}>
    {title}
  </span>
);
