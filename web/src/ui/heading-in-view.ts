import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** Height of the sticky top bar in px; `--shell-header` in the layout. */
const BAR_PX = 52;

/**
 * Marks the document with `data-scrolled` while the heading is out of view, so that the top bar shows the page's name
 * only when the heading does not.
 */
export function useHeadingInView(): RefObject<HTMLDivElement | null> {
  const head = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!head.current) return undefined;
    const { dataset } = document.documentElement;
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) delete dataset['scrolled'];
        else dataset['scrolled'] = '';
      },
      { rootMargin: `-${BAR_PX}px 0px 0px` },
    );
    watch.observe(head.current);
    return () => {
      watch.disconnect();
      delete dataset['scrolled'];
    };
  }, []);
  return head;
}
