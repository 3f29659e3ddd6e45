import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { focusHeading } from '../ui/focus-heading.ts';

/** Moves the focus to the heading after each navigation, once the page has one and unless the focus was moved meanwhile. */
export function usePageFocus(): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return undefined;
    shown.current = pathname;
    const from = document.activeElement;
    const moved = () => ![null, document.body, from].includes(document.activeElement);
    const attempt = () => {
      if (moved() || focusHeading()) watch.disconnect();
    };
    const watch = new MutationObserver(attempt);
    watch.observe(document.body, { childList: true, subtree: true });
    attempt();
    return () => watch.disconnect();
  }, [pathname]);
}
