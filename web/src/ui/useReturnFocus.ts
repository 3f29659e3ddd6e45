import { useEffect, useRef } from 'react';
import { focusHeading } from './focus-heading.ts';

/** Returns the focus after a dialog or panel has closed: to the control that opened it or, if that is gone, to the page's heading. */
export function useReturnFocus(opened: boolean): void {
  const opener = useRef<HTMLElement | null>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (opened) {
      const { activeElement: active } = document;
      opener.current = active instanceof HTMLElement && active !== document.body ? active : null;
      wasOpen.current = true;
      return undefined;
    }
    if (!wasOpen.current) return undefined;
    wasOpen.current = false;
    // After a list's next rows are rendered, which may lack the opener.
    const timer = setTimeout(() => {
      const active = document.activeElement;
      const lost = active === null || active === document.body || active.closest('[role=dialog]') !== null;
      if (!lost) return;
      if (opener.current?.isConnected) opener.current.focus({ preventScroll: true });
      else focusHeading();
    }, 10);
    return () => clearTimeout(timer);
  }, [opened]);
}
