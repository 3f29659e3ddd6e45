import { useEffect, useRef } from 'react';
import { playerKeyOf, type PlayerKey } from './player-keys.ts';

/** Acts on the player's keys anywhere on its page, before the shortcuts of every page do. */
export function usePlayerKeys(act: (key: PlayerKey) => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (document.querySelector('[role=dialog]')) return;
      const key = playerKeyOf(event);
      if (!key) return;
      event.preventDefault();
      latest.current(key);
    };
    window.addEventListener('keydown', press, { capture: true });
    return () => window.removeEventListener('keydown', press, { capture: true });
  }, []);
}
