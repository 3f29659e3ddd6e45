import { useEffect, useRef } from 'react';
import type { ViewsControl } from './useViews.ts';
import { viewKeyOf, type ViewKey } from './view-keys.ts';
import { numberOf } from './view-state.ts';

/** Acts on the shortcuts of the device page. Keys in a desktop belong to the device. */
export function useViewKeys(views: ViewsControl): void {
  const latest = useRef(views);
  latest.current = views;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const key = viewKeyOf(event);
      if (!key || event.defaultPrevented || document.querySelector('[role=dialog]')) return;
      if (event.target instanceof Element && event.target.closest('[data-device-keys]')) return;
      event.preventDefault();
      act(key, latest.current);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

function act(key: ViewKey, views: ViewsControl): void {
  const at = views.views.indexOf(views.current);
  const step = (by: number) => views.go(views.views.at((at + by) % views.views.length) ?? 'overview');
  if (key === 'next') step(1);
  else if (key === 'previous') step(-1);
  else if (key === 'new') views.newTerminal?.();
  else if (key === 'other') focusOtherPane();
  else if (views.state.splits[numberOf(views.current) ?? 0] !== key) views.split(key);
}

function focusOtherPane(): void {
  const panes = [...document.querySelectorAll('[data-shown] [data-pane]')];
  const other = panes.find((pane) => !pane.contains(document.activeElement)) ?? panes[0];
  other?.querySelector<HTMLElement>('.xterm textarea')?.focus();
}
