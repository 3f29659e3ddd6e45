import { useEffect } from 'react';
import type { RefObject } from 'react';

/** Whether somebody may be reading rows that new ones would move. Fingers do not hover, so their rows always wait. */
export function isRead(list: HTMLElement | null): boolean {
  if (!list) return false;
  return (
    !window.matchMedia('(hover: hover)').matches ||
    list.matches(':hover') ||
    list.contains(document.activeElement) ||
    list.querySelector('[aria-expanded=true]') !== null ||
    list.getBoundingClientRect().top < 0
  );
}

/** Releases what waits once nobody reads the list any more. */
export function useRelease(list: RefObject<HTMLElement | null>, waits: boolean, release: () => void): void {
  useEffect(() => {
    const at = list.current;
    if (!waits || !at) return undefined;
    const look = () => {
      if (!isRead(at)) release();
    };
    // After the focus has arrived where it goes.
    const later = () => void setTimeout(look);
    at.addEventListener('pointerleave', look);
    at.addEventListener('focusout', later);
    // They may have left before these listened.
    look();
    return () => {
      at.removeEventListener('pointerleave', look);
      at.removeEventListener('focusout', later);
    };
  }, [list, waits, release]);
}
